/// The sums over a period.
public struct AdminStatisticsTotals: AdminValue {
    /// The number of attempts to sign in.
    public var attempts: Int = 0
    /// The number of attempts that succeeded.
    public var succeeded: Int = 0
    /// The number of attempts that failed.
    public var failed: Int = 0
    /// The number of attempts that a next step was required for.
    public var pending: Int = 0
    /// The share of successes among the attempts that ended; nil without any.
    public var successRate: Double?
    /// The share of failures among the attempts that ended; nil without any.
    public var failureRate: Double?
    /// The number of new accounts.
    public var registrations: Int = 0
    /// The share of sign-ins with a second factor; nil without any.
    public var secondFactorShare: Double?
    /// The successful attempts by method.
    public var methods: [String: Int] = [:]
    /// The attempts by outcome.
    public var outcomes: [String: Int] = [:]
    /// The messages by channel and outcome.
    public var messages: [AdminMessageCount] = []
    /// The numbers of accounts that were active.
    public var activeAccounts: AdminActiveAccounts = AdminActiveAccounts()

    /// The name of the value's schema.
    public static let schemaName = "StatisticsTotals"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminStatisticsTotals>] = [
        .required("attempts", \.attempts, .integer()),
        .required("succeeded", \.succeeded, .integer()),
        .required("failed", \.failed, .integer()),
        .required("pending", \.pending, .integer()),
        .nullable("success_rate", \.successRate, .share),
        .nullable("failure_rate", \.failureRate, .share),
        .required("registrations", \.registrations, .integer()),
        .nullable("second_factor_share", \.secondFactorShare, .share),
        .required("methods", \.methods, .counts),
        .required("outcomes", \.outcomes, .counts),
        .required("messages", \.messages, .list(.object)),
        .required("active_accounts", \.activeAccounts, .object),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
