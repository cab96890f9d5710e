public import Foundation
public import OstiaryCore

/// The input of an account upsert: a sign-in from an identity provider, to be matched with an account or to create one.
public struct ProviderAccountUpsert: Hashable, Sendable {
    /// The app that the person signs in to.
    public var app: AppName
    /// The kind of id that a new account gets.
    public var idKind: AppRules.AccountIDKind
    /// The account's `auth_provider`.
    public var kind: String
    /// The provider's identity of the person: issuer and subject identify the account; all other fields are labels.
    public var identity: ProviderIdentity
    /// Candidates for a new account's username, the preferred first; empty for apps without usernames.
    public var usernames: [Username]
    /// `true` if a username signs in and is therefore unique. Otherwise it is a label, and follows the provider.
    public var hasUniqueUsernames: Bool
    /// The hash of a password that the provider has just accepted, kept so that this server can later verify it alone.
    public var passwordHash: String?
    /// `true` if the email signs in with that password as a local account's does, unless it is another account's name:
    /// only where the person has just signed in with the email.
    public var signsInByEmail: Bool
    /// `true` if an account that was imported without its issuer may be claimed: only where no other provider serves
    /// accounts of this kind, so the issuer is unambiguous.
    public var claimsImported: Bool
    /// The name of a new account's owner if the provider sends none. Sent by the device and not verified; suitable for
    /// display only.
    public var newName: PersonName?
    /// The time of the sign-in.
    public var at: Date

    /// Creates an upsert from its parts.
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
