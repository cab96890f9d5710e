/// The numbers of accounts that were active in the last calendar periods, in UTC.
public struct AdminActiveAccounts: AdminValue {
    /// The number of accounts of the last day.
    public var day: Int = 0
    /// The number of accounts of the last ISO week.
    public var week: Int = 0
    /// The number of accounts of the last month.
    public var month: Int = 0

    /// The name of the value's schema.
    public static let schemaName = "ActiveAccounts"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminActiveAccounts>] = [
        .required("day", \.day, .integer()),
        .required("week", \.week, .integer()),
        .required("month", \.month, .integer()),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
