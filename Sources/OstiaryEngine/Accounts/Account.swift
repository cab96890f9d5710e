public import Foundation
public import OstiaryCore

/// A person's account in one app, as the server keeps it.
public struct Account: Hashable, Sendable {
    /// The app that the account belongs to.
    public var app: AppName
    /// The account's id, unique within the app.
    public var id: AccountID
    /// The email address; signs in only if ``signsInByEmail`` is `true`.
    public var email: EmailAddress?
    /// The username, as it is displayed.
    public var username: Username?
    /// The phone number, unique within the app.
    public var phoneNumber: PhoneNumber?
    /// The owner's name.
    public var fullName: PersonName?
    /// The password's hash in `crypt(3)` form; `nil` for accounts that sign in at an external provider only.
    public var passwordHash: String?
    /// The assigned roles, in the order of their texts.
    public var assignments: [RoleAssignment]
    /// `false` if the account is disabled: it cannot sign in and its sessions have ended.
    public var isActive: Bool
    /// `local`, or the kind of identity provider the account came from.
    public var provider: String
    /// The provider's issuer; `nil` for local accounts, and for imported ones until their first sign-in.
    public var providerIssuer: String?
    /// The provider's identifier of the person; `nil` for local accounts.
    public var providerSubject: String?
    /// `true` if the owner has proved, here or at the provider, to receive mail at the email address.
    public var isEmailVerified: Bool
    /// `true` if the owner has proved to receive text messages at the phone number, `false` if an administrator set it
    /// without; nil for a number that the app's rules decide about: where phone numbers sign in, they were proved.
    public var isPhoneNumberVerified: Bool?
    /// The credential version, incremented when a credential or an identifier changes, or the account is disabled. A sign-in
    /// that began under an earlier version is rejected.
    public var credentialVersion: Int
    /// The channel through which the password in force was set; `nil` if it was set otherwise, or another factor was
    /// shown since.
    public var passwordResetChannel: PasswordResetChannel?
    /// Every kept attribute by name, also ones whose declaration was removed or changed since.
    public var attributes: [String: AttributeValue]
    /// The time of creation.
    public var createdAt: Date

    /// Creates an account from its parts; `assignments` are sorted.
    public init(
        app: AppName, id: AccountID, email: EmailAddress? = nil, username: Username? = nil,
        phoneNumber: PhoneNumber? = nil, fullName: PersonName? = nil, passwordHash: String? = nil,
        assignments: [RoleAssignment] = [],
        isActive: Bool = true, provider: String = "local", providerIssuer: String? = nil,
        providerSubject: String? = nil,
        isEmailVerified: Bool = false, isPhoneNumberVerified: Bool? = nil, credentialVersion: Int = 0,
        passwordResetChannel: PasswordResetChannel? = nil, attributes: [String: AttributeValue] = [:],
        createdAt: Date
    ) {
        self.app = app
        self.id = id
        self.email = email
        self.username = username
        self.phoneNumber = phoneNumber
        self.fullName = fullName
        self.passwordHash = passwordHash
        self.assignments = assignments.sorted()
        self.isActive = isActive
        self.provider = provider
        self.providerIssuer = providerIssuer
        self.providerSubject = providerSubject
        self.isEmailVerified = isEmailVerified
        self.isPhoneNumberVerified = isPhoneNumberVerified
        self.credentialVersion = credentialVersion
        self.passwordResetChannel = passwordResetChannel
        self.attributes = attributes
        self.createdAt = createdAt
    }

    /// Returns `true` if the owner has proved to receive text messages at the phone number, or the app's rules imply it.
    public func hasVerifiedPhoneNumber(under rules: AppRules) -> Bool {
        phoneNumber != nil && (isPhoneNumberVerified ?? (rules.identifier == .phoneNumber))
    }

    /// The names of the roles that the account has in every scope, in alphabetical order. Only these are sent to apps and
    /// services as its roles.
    public var roles: [String] { assignments.filter { $0.scope == nil }.map(\.role) }

    /// Returns `true` for an active account that has a role in every scope.
    public func isHolder(of role: String) -> Bool {
        isActive && assignments.contains { $0.scope == nil && $0.role.utf8.elementsEqual(role.utf8) }
    }

    /// The account without its attributes, whose visibility the app decides: see ``AppSettings/user(of:)``.
    public var user: User {
        User(
            id: id, email: email, username: username, phoneNumber: phoneNumber, fullName: fullName, roles: roles,
            authProvider: provider)
    }
}

/// An account to be created. The store assigns its id unless one is given.
public struct NewAccount: Hashable, Sendable {
    /// The app that the account is created in.
    public var app: AppName
    /// The kind of id that the store generates where `id` is `nil`.
    public var idKind: AppRules.AccountIDKind
    /// An existing id to keep, as of an imported account.
    public var id: AccountID?
    /// The email address.
    public var email: EmailAddress?
    /// The username.
    public var username: Username?
    /// The way the username signs in; by default in any spelling.
    public var usernameUse = UsernameUse.anySpelling
    /// `true` if the username is kept as it was given instead of trimmed and composed.
    public var keepsSpelling = false
    /// The phone number.
    public var phoneNumber: PhoneNumber?
    /// The owner's name.
    public var fullName: PersonName?
    /// The password's hash in `crypt(3)` form; `nil` for an account without a password.
    public var passwordHash: String?
    /// The assigned roles, in the order of their texts.
    public var assignments: [RoleAssignment]
    /// `false` to create a disabled account.
    public var isActive: Bool
    /// `local`, or the kind of identity provider the account comes from.
    public var provider: String
    /// The provider's identifier of the person; `nil` for local accounts.
    public var providerSubject: String?
    /// `true` if the owner has proved to receive mail at the email address.
    public var isEmailVerified: Bool
    /// See ``Account/isPhoneNumberVerified``.
    public var isPhoneNumberVerified: Bool?
    /// The passkey of an account that begins with one, added in the same transaction.
    public var passkey: NewPasskey?
    /// The checked attributes by name.
    public var attributes: [String: AttributeValue] = [:]
    /// The time of creation.
    public var createdAt: Date
    /// The second factors that are added in the same transaction; only for an account with an `id`.
    public var factors: [Factor] = []
    /// The keyed hashes of the recovery codes that are added with the factors.
    public var recoveryCodes: [[UInt8]] = []
    /// The message by which the owner sets the first password, queued in the same transaction.
    public var invitation: QueuedInvitation?

    /// The way an account's username signs in.
    public enum UsernameUse: Hashable, Sendable {
        /// The username signs in in any spelling with the same canonical form, which is unique.
        case anySpelling
        /// The username signs in in exactly its spelling, because another account has the canonical form.
        case exactSpelling
        /// The username does not sign in: it is a provider's label, which other accounts may have too.
        case label
    }

    /// Creates a new account from its parts; `assignments` are sorted.
    public init(
        app: AppName, idKind: AppRules.AccountIDKind, id: AccountID? = nil, email: EmailAddress? = nil,
        username: Username? = nil, phoneNumber: PhoneNumber? = nil, fullName: PersonName? = nil,
        passwordHash: String? = nil, assignments: [RoleAssignment] = [], isActive: Bool = true,
        provider: String = "local", providerSubject: String? = nil, isEmailVerified: Bool = false,
        passkey: NewPasskey? = nil, createdAt: Date
    ) {
        self.app = app
        self.idKind = idKind
        self.id = id
        self.email = email
        self.username = username
        self.phoneNumber = phoneNumber
        self.fullName = fullName
        self.passwordHash = passwordHash
        self.assignments = assignments.sorted()
        self.isActive = isActive
        self.provider = provider
        self.providerSubject = providerSubject
        self.isEmailVerified = isEmailVerified
        self.passkey = passkey
        self.createdAt = createdAt
    }
}

/// The passkey of a new account.
public struct NewPasskey: Hashable, Sendable {
    /// The factor's id.
    public var id: FactorID
    /// The name that its owner sees.
    public var name: String
    /// The verification data, as ``Factor/material`` has it.
    public var material: [UInt8]
    /// The credential id.
    public var credentialID: [UInt8]
    /// The signature counter.
    public var counter: Int64

    /// Creates a passkey from its parts.
    public init(id: FactorID, name: String, material: [UInt8], credentialID: [UInt8], counter: Int64) {
        self.id = id
        self.name = name
        self.material = material
        self.credentialID = credentialID
        self.counter = counter
    }

    /// Returns the passkey as a factor of its account.
    public func factor(of account: Account) -> Factor {
        Factor(
            app: account.app, account: account.id, id: id, kind: .passkey, name: name, material: material,
            credentialID: credentialID, counter: counter, createdAt: account.createdAt)
    }
}

/// The channel that delivers the secret of a password reset.
public enum PasswordResetChannel: String, Hashable, Sendable {
    /// A token by email.
    case email
    /// A code by text message.
    case sms

    /// The method of a challenge that uses the same channel.
    var method: ChallengeMethod {
        switch self {
        case .email: .emailCode
        case .sms: .smsCode
        }
    }
}
