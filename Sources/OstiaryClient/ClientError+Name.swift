extension ClientError {
    /// A stable word for counting and for logs.
    public var name: String { FailureCode(self).text }
}
