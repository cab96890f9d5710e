public import Foundation

/// The attempts of one interval.
public struct AdminStatisticsItem: AdminValue {
    /// The beginning of the interval.
    public var start: Date = Date(timeIntervalSince1970: 0)
    /// The number of attempts to sign in.
    public var attempts: Int = 0
    /// The number of attempts that succeeded.
    public var succeeded: Int = 0
    /// The number of attempts that failed.
    public var failed: Int = 0
    /// The number of attempts that a next step was required for.
    public var pending: Int = 0
    /// The number of new accounts.
    public var registrations: Int = 0
    /// The attempts by method or outcome.
    public var groups: [AdminStatisticsGroup] = []

    /// The name of the value's schema.
    public static let schemaName = "StatisticsItem"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminStatisticsItem>] = [
        .required("start", \.start, .time),
        .required("attempts", \.attempts, .integer()),
        .required("succeeded", \.succeeded, .integer()),
        .required("failed", \.failed, .integer()),
        .required("pending", \.pending, .integer()),
        .required("registrations", \.registrations, .integer()),
        .required("groups", \.groups, .list(.object)),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
