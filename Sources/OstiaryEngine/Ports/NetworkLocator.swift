/// Finds the place and the operator of network addresses.
public protocol NetworkLocator: Sendable {
    /// Returns the properties of an address, as far as they are known.
    func location(of address: String) -> NetworkLocation
}

/// The properties of a network address.
public struct NetworkLocation: Hashable, Sendable {
    /// The country. Source: ISO 3166-1 alpha-2.
    public var country: String?
    /// The number of the autonomous system that announces the network. Source: RFC 4271.
    public var systemNumber: UInt32?
    /// The place.
    public var coordinates: Coordinates?
    /// `true` for a network that hides the origin of its users: a proxy, a VPN service, an exit of Tor.
    public var isAnonymizing: Bool

    /// Creates properties from their parts; by default, nothing is known.
    public init(
        country: String? = nil, systemNumber: UInt32? = nil, coordinates: Coordinates? = nil,
        isAnonymizing: Bool = false
    ) {
        self.country = country
        self.systemNumber = systemNumber
        self.coordinates = coordinates
        self.isAnonymizing = isAnonymizing
    }
}
