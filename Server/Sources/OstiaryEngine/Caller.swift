/// Where a request came from. Never decides who someone is.
public struct Caller: Hashable, Sendable {
    /// The network address, for the session list and the audit log; nil inside the process.
    public var address: String?
    /// What attempts are counted by: the IPv4 address, or the /64 network of an IPv6 address.
    public var network: String?
    public var userAgent: String?

    public init(address: String? = nil, network: String? = nil, userAgent: String? = nil) {
        self.address = address
        self.network = network
        self.userAgent = userAgent
    }
}
