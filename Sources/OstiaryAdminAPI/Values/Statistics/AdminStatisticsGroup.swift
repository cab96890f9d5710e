/// The attempts with one method or outcome.
public struct AdminStatisticsGroup: AdminValue {
    /// The method or the outcome.
    public var key: String = ""
    /// The number of attempts to sign in.
    public var attempts: Int = 0
    /// The number of attempts that succeeded.
    public var succeeded: Int = 0
    /// The number of attempts that failed.
    public var failed: Int = 0
    /// The number of attempts that a next step was required for.
    public var pending: Int = 0

    /// The name of the value's schema.
    public static let schemaName = "StatisticsGroup"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminStatisticsGroup>] = [
        .required("key", \.key, .text()),
        .required("attempts", \.attempts, .integer()),
        .required("succeeded", \.succeeded, .integer()),
        .required("failed", \.failed, .integer()),
        .required("pending", \.pending, .integer()),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
