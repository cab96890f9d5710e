public import Foundation
public import OstiaryCore

/// A person who comes from an identity provider, on the way to their account.
public struct ProviderArrival: Hashable, Sendable {
    public var app: AppName
    /// What a new account's id is made of.
    public var idKind: AppRules.AccountIDKind
    /// The account's `auth_provider`.
    public var kind: String
    /// Issuer and subject are who it is; all else are labels.
    public var identity: ProviderIdentity
    /// What a new account may be called, the best first; empty for apps without usernames.
    public var usernames: [Username]
    /// Whether a username signs in, so that no two accounts can have it. Otherwise it is a label, and follows the provider.
    public var hasUniqueUsernames: Bool
    /// The hash of a password that the provider has just accepted, kept so that it works here alone one day.
    public var passwordHash: String?
    /// Whether the email signs in with that password as a local account's does, if nobody else's does already: only where
    /// it is what the person has just signed in with.
    public var signsInByEmail: Bool
    /// Whether an account that was imported without its issuer may be this person's: only where nobody else vouches for
    /// people of this kind, so that the issuer can be no other.
    public var claimsImported: Bool
    /// What a new account's owner is called, where the provider does not tell: the device's word, good for display.
    public var newName: PersonName?
    public var at: Date

    public init(
        app: AppName, idKind: AppRules.AccountIDKind, kind: String, identity: ProviderIdentity,
        usernames: [Username] = [], hasUniqueUsernames: Bool = false, passwordHash: String? = nil,
        signsInByEmail: Bool = false, claimsImported: Bool = false, newName: PersonName? = nil, at: Date
    ) {
        self.app = app
        self.idKind = idKind
        self.kind = kind
        self.identity = identity
        self.usernames = usernames
        self.hasUniqueUsernames = hasUniqueUsernames
        self.passwordHash = passwordHash
        self.signsInByEmail = signsInByEmail
        self.claimsImported = claimsImported
        self.newName = newName
        self.at = at
    }
}
