/// The caps on browser sign-ins that have begun and are not completed within the lifetime of one. Each is kept in the
/// store, and an unauthenticated caller can begin one.
public struct BrowserSignInCaps: Hashable, Sendable {
    /// The maximum for one network.
    public var perNetwork: Int
    /// The maximum for the whole server, all apps together.
    public var perServer: Int

    /// Creates caps from their parts.
    public init(perNetwork: Int = 100, perServer: Int = 100_000) {
        self.perNetwork = perNetwork
        self.perServer = perServer
    }
}
