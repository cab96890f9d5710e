public import OstiaryCore

/// Where a request came from. Never decides who someone is.
public struct Caller: Hashable, Sendable {
    /// The network address, for the session list and the audit log; nil inside the process.
    public var address: String?
    /// What attempts are counted by: the IPv4 address, or the /64 network of an IPv6 address.
    public var network: String?
    public var userAgent: String?
    /// What tells this browser from others: a random value that we gave it; nil for callers without one.
    public var browser: Secret<String>?
    /// The app's base URL as the caller reached it. From the configuration, never from a header, but that in development
    /// one name of this machine is as good as another.
    public var baseURL: String?

    public init(
        address: String? = nil, network: String? = nil, userAgent: String? = nil, browser: Secret<String>? = nil,
        baseURL: String? = nil
    ) {
        self.address = address
        self.network = network
        self.userAgent = userAgent
        self.browser = browser
        self.baseURL = baseURL
    }
}
