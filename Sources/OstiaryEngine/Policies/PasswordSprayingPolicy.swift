/// The limit of accounts for which one password may fail, above which it is refused: see decision 77.
public struct PasswordSprayingPolicy: Hashable, Sendable {
    /// The number of accounts in an hour.
    public var accounts: Int

    /// Creates a policy.
    public init(accounts: Int = 30) { self.accounts = accounts }
}
