/// The caps on sent messages. The counters are shared by all apps of a server; messages that inform an account's owner
/// of a change to the account are not counted, and the changes themselves are limited. A fifth of each cap is kept for callers whom the recipient's account recognizes,
/// and for password resets.
public struct MessageCaps: Hashable, Sendable {
    /// The maximum for one phone number or address, per day.
    public var perRecipientDay: Int
    /// The maximum for phone numbers that begin with the same six digits, per hour.
    public var perPrefixHour: Int
    /// The maximum requested from one network, per hour: an IPv4 address or the /64 of an IPv6 address; twice as many
    /// from a /56, four times as many from a /48.
    public var perNetworkHour: Int
    /// The maximum for the whole server, per hour.
    public var perServerHour: Int

    /// Creates caps from their parts.
    public init(
        perRecipientDay: Int = 10, perPrefixHour: Int = 50, perNetworkHour: Int = 50, perServerHour: Int = 1000
    ) {
        self.perRecipientDay = perRecipientDay
        self.perPrefixHour = perPrefixHour
        self.perNetworkHour = perNetworkHour
        self.perServerHour = perServerHour
    }
}

extension MessageCaps {
    /// The maximum of changes of one account that inform its owner, per day.
    var changesPerDay: Int { 2 * perRecipientDay }

    /// Returns the part of a cap that is kept for recognized callers and resets.
    static func reserve(of cap: Int) -> Int { cap / 5 }
}

/// One of the ``MessageCaps``, by its name in metrics and audit events.
public enum MessageCap: String, CaseIterable, Hashable, Sendable {
    /// ``MessageCaps/perRecipientDay``.
    case recipientDay = "recipient_day"
    /// ``MessageCaps/perPrefixHour``.
    case prefixHour = "prefix_hour"
    /// ``MessageCaps/perNetworkHour``.
    case networkHour = "network_hour"
    /// ``MessageCaps/perServerHour``.
    case serverHour = "server_hour"
}
