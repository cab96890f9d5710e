/// The limits of one app for the sessions of an account.
public struct SessionPolicy: Hashable, Sendable {
    /// The maximum number of sessions of one account, without impersonations. A further one ends an expired one, or else the oldest.
    public var maximum: Int
    /// The longest lifetime without a refresh, in seconds; `nil` for that of the refresh token.
    public var idleSeconds: Int?
    /// The longest lifetime regardless of refreshes, in seconds.
    public var absoluteSeconds: Int

    /// The numbers that ``maximum`` can have.
    public static let maximumRange = 20...200

    /// Creates a policy from its parts.
    public init(
        maximum: Int = Session.limitPerAccount, idleSeconds: Int? = nil, absoluteSeconds: Int = 31_536_000
    ) {
        self.maximum = maximum
        self.idleSeconds = idleSeconds
        self.absoluteSeconds = absoluteSeconds
    }
}
