extension ClientError {
    /// A stable identifier for metrics and logs, for example `refresh_token_reused` or `http_503`.
    public var name: String { FailureCode(self).text }
}
