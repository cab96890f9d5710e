/// How many messages go out at most. What is counted is shared by all apps of a server; notices to an account's owner
/// about what was done to the account are not counted.
public struct MessageCaps: Hashable, Sendable {
    /// To one phone number or address, a day.
    public var perRecipientDay: Int
    /// To phone numbers that begin with the same six digits, an hour.
    public var perPrefixHour: Int
    /// Asked for from one network, an hour: an IPv4 address or the /64 of an IPv6 address; twice as many from a /56, four
    /// times as many from a /48.
    public var perNetworkHour: Int
    /// Of the whole server, an hour.
    public var perServerHour: Int

    public init(
        perRecipientDay: Int = 10, perPrefixHour: Int = 50, perNetworkHour: Int = 50, perServerHour: Int = 1000
    ) {
        self.perRecipientDay = perRecipientDay
        self.perPrefixHour = perPrefixHour
        self.perNetworkHour = perNetworkHour
        self.perServerHour = perServerHour
    }
}

/// One of the ``MessageCaps``, as metrics and audit events name it.
public enum MessageCap: String, CaseIterable, Hashable, Sendable {
    case recipientDay = "recipient_day"
    case prefixHour = "prefix_hour"
    case networkHour = "network_hour"
    case serverHour = "server_hour"
}
