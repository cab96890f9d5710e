/// The caps on registrations. The counters are shared by all apps of a server: see decision 78.
public struct RegistrationCaps: Hashable, Sendable {
    /// The maximum for one network, per day: an IPv4 address or the /64 of an IPv6 address; twice as many for a /56, four times as
    /// many for a /48.
    public var perNetworkDay: Int
    /// The maximum for the whole server, per hour.
    public var perServerHour: Int

    /// Creates caps from their parts.
    public init(perNetworkDay: Int = 200, perServerHour: Int = 2000) {
        self.perNetworkDay = perNetworkDay
        self.perServerHour = perServerHour
    }
}
