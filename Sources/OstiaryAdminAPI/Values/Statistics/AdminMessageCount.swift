/// The number of messages with one outcome.
public struct AdminMessageCount: AdminValue {
    /// The channel: `email` or `sms`.
    public var channel: String = ""
    /// The outcome.
    public var outcome: String = ""
    /// The number of messages.
    public var count: Int = 0

    /// The name of the value's schema.
    public static let schemaName = "MessageCount"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminMessageCount>] = [
        .required("channel", \.channel, .text()),
        .required("outcome", \.outcome, .text()),
        .required("count", \.count, .integer()),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
