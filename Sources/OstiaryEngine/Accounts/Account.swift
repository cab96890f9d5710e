public import Foundation
public import OstiaryCore

/// A person's account in one app, as the server keeps it.
public struct Account: Hashable, Sendable {
    public var app: AppName
    public var id: AccountID
    public var email: EmailAddress?
    public var username: Username?
    public var phoneNumber: PhoneNumber?
    public var fullName: PersonName?
    /// In `crypt(3)` form; nil for people who sign in elsewhere.
    public var passwordHash: String?
    /// In alphabetical order.
    public var roles: [String]
    public var isActive: Bool
    /// `local`, or the kind of identity provider the account came from.
    public var provider: String
    /// The provider's issuer; nil for local accounts, and for imported ones until they sign in.
    public var providerIssuer: String?
    /// The provider's name for the person; nil for local accounts.
    public var providerSubject: String?
    /// Whether its owner has shown to read mail sent to the email, here or at the provider.
    public var isEmailVerified: Bool
    /// Grows whenever a credential changes or the account is disabled. A sign-in that began before may not finish after.
    public var credentialVersion: Int
    public var createdAt: Date

    public init(
        app: AppName, id: AccountID, email: EmailAddress? = nil, username: Username? = nil,
        phoneNumber: PhoneNumber? = nil, fullName: PersonName? = nil, passwordHash: String? = nil, roles: [String] = [],
        isActive: Bool = true, provider: String = "local", providerIssuer: String? = nil,
        providerSubject: String? = nil,
        isEmailVerified: Bool = false, credentialVersion: Int = 0,
        createdAt: Date
    ) {
        self.app = app
        self.id = id
        self.email = email
        self.username = username
        self.phoneNumber = phoneNumber
        self.fullName = fullName
        self.passwordHash = passwordHash
        self.roles = roles.sorted()
        self.isActive = isActive
        self.provider = provider
        self.providerIssuer = providerIssuer
        self.providerSubject = providerSubject
        self.isEmailVerified = isEmailVerified
        self.credentialVersion = credentialVersion
        self.createdAt = createdAt
    }

    /// The account as its owner's app sees it.
    public var user: User {
        User(
            id: id, email: email, username: username, phoneNumber: phoneNumber, fullName: fullName, roles: roles,
            authProvider: provider)
    }
}

/// An account that is to be made. The store gives it its id unless one is brought along.
public struct NewAccount: Hashable, Sendable {
    public var app: AppName
    /// What the store makes an id of, where `id` is nil.
    public var idKind: AppRules.AccountIDKind
    /// An id kept from elsewhere.
    public var id: AccountID?
    public var email: EmailAddress?
    public var username: Username?
    public var usernameUse = UsernameUse.anySpelling
    /// Whether the username is kept as it was given instead of trimmed and composed.
    public var keepsSpelling = false
    public var phoneNumber: PhoneNumber?
    public var fullName: PersonName?
    public var passwordHash: String?
    public var roles: [String]
    public var isActive: Bool
    public var provider: String
    public var providerSubject: String?
    public var isEmailVerified: Bool
    public var createdAt: Date

    /// How an account's username signs in.
    public enum UsernameUse: Hashable, Sendable {
        /// In any spelling with the same canonical form, which is no other account's.
        case anySpelling
        /// In exactly its spelling, because the canonical form is another account's.
        case exactSpelling
        /// Not at all: it is a provider's label, which other accounts may have too.
        case label
    }

    public init(
        app: AppName, idKind: AppRules.AccountIDKind, id: AccountID? = nil, email: EmailAddress? = nil,
        username: Username? = nil, phoneNumber: PhoneNumber? = nil, fullName: PersonName? = nil,
        passwordHash: String? = nil, roles: [String] = [], isActive: Bool = true, provider: String = "local",
        providerSubject: String? = nil, isEmailVerified: Bool = false, createdAt: Date
    ) {
        self.app = app
        self.idKind = idKind
        self.id = id
        self.email = email
        self.username = username
        self.phoneNumber = phoneNumber
        self.fullName = fullName
        self.passwordHash = passwordHash
        self.roles = roles.sorted()
        self.isActive = isActive
        self.provider = provider
        self.providerSubject = providerSubject
        self.isEmailVerified = isEmailVerified
        self.createdAt = createdAt
    }
}
