public import OstiaryCore

/// The origin of a request. Never used to identify a person.
public struct Caller: Hashable, Sendable {
    /// The network address, for the session list and the audit log; `nil` inside the process.
    public var address: String?
    /// The network that attempts are counted by: the IPv4 address, or the /64 network of an IPv6 address.
    public var network: String?
    /// The request's `User-Agent`.
    public var userAgent: String?
    /// A random value that identifies the browser, issued by this server; `nil` for callers without one.
    public var browser: Secret<String>?
    /// The secret of a remembered device, as the caller presents it; `nil` for callers without one.
    public var deviceToken: Secret<String>?
    /// The solution of a computation, as the caller presents it; `nil` for callers without one.
    public var proofOfWork: ProofOfWorkSolution?
    /// The proof of possession of the request; `nil` for callers that present neither a proof nor a bound token.
    public var dpopProof: PresentedProof?
    /// The assertion of App Attest that the request presents; `nil` for a request without one.
    public var appAssertion: PresentedAppAssertion?
    /// The app's base URL as the caller reached it. From the configuration, never from a header, except that in
    /// development any name of this machine is accepted.
    public var baseURL: String?

    /// Creates a caller from its parts.
    public init(
        address: String? = nil, network: String? = nil, userAgent: String? = nil, browser: Secret<String>? = nil,
        deviceToken: Secret<String>? = nil, proofOfWork: ProofOfWorkSolution? = nil, dpopProof: PresentedProof? = nil,
        appAssertion: PresentedAppAssertion? = nil, baseURL: String? = nil
    ) {
        self.address = address
        self.network = network
        self.userAgent = userAgent
        self.browser = browser
        self.deviceToken = deviceToken
        self.proofOfWork = proofOfWork
        self.dpopProof = dpopProof
        self.appAssertion = appAssertion
        self.baseURL = baseURL
    }
}
