/// How many sign-ins in a browser can be begun and not finished within the lifetime of one. Each is kept in the store, and
/// begun without any proof.
public struct BrowserSignInCaps: Hashable, Sendable {
    public var perNetwork: Int
    /// Of the whole server, all apps together.
    public var perServer: Int

    public init(perNetwork: Int = 100, perServer: Int = 100_000) {
        self.perNetwork = perNetwork
        self.perServer = perServer
    }
}
