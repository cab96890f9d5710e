public import Foundation

/// An account with what administrators see of it beyond what requests need.
public struct AccountDetails: Hashable, Sendable {
    /// The account.
    public var account: Account
    /// The time of the last change of the account's profile, identifiers, password, roles or state, or of its creation.
    public var updatedAt: Date
    /// The time at which a session was last opened; nil if none was since the server records it.
    public var lastSignInAt: Date?
    /// The kinds of the account's second factors, each once, in alphabetical order.
    public var factorKinds: [Factor.Kind]

    /// Creates details from their parts.
    public init(account: Account, updatedAt: Date, lastSignInAt: Date? = nil, factorKinds: [Factor.Kind] = []) {
        self.account = account
        self.updatedAt = updatedAt
        self.lastSignInAt = lastSignInAt
        self.factorKinds = factorKinds
    }

    /// The kinds of the identity providers that the account is linked with.
    public var providers: [String] { account.provider == "local" ? [] : [account.provider] }
}
