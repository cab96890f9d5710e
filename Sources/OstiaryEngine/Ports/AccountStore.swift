public import Foundation
public import OstiaryCore

/// Where accounts are kept.
public protocol AccountStore: Sendable {
    /// Makes an account and spends `secret`, if there is one, in one transaction.
    ///
    /// - Throws: ``StoreRefusal/identifierTaken`` if another account of the app has the id, the username, the phone
    ///   number, the provider's subject or (local accounts) the email, or if a username is another local account's email
    ///   or the other way round, or is what another account signs in by in exactly that spelling;
    ///   ``StoreRefusal/alreadySpent``.
    func add(_ account: NewAccount, spending secret: SingleUseSecret?) async throws -> Account

    /// The account of a person that an identity provider vouches for, with the labels the provider gives now; made if
    /// there is none.
    ///
    /// In one transaction, so that first sign-ins at the same time make one account. An account that was imported without
    /// its issuer is claimed by the first arrival of that kind and subject. A new account gets the first of the usernames
    /// that nobody has.
    ///
    /// - Throws: ``StoreRefusal/identifierTaken`` if usernames are unique and every one of them is somebody else's.
    func account(of arrival: ProviderArrival) async throws -> Account

    func account(_ id: AccountID, in app: AppName) async throws -> Account?

    /// The account with that email (local accounts only), phone number or username. A username is looked for in its exact
    /// spelling (``NewAccount/UsernameUse/exactSpelling``), then in its canonical form; one that nobody has is tried as an
    /// email.
    func account(identifiedBy identifier: Identifier, in app: AppName) async throws -> Account?

    /// The accounts whose username or email has the canonical form `name`, whether it signs in or is a provider's label, in
    /// the order in which they were made. For administration: reads every account of the app.
    ///
    /// - Returns: At most `limit`.
    func accounts(labelled name: String, in app: AppName, limit: Int) async throws -> [Account]

    /// A page of accounts in the order in which they were made, beginning after `position`.
    ///
    /// - Returns: The accounts, and the position of the last; nil if there are no more.
    func accounts(in app: AppName, after position: Int?, limit: Int) async throws -> (page: [Account], position: Int?)

    /// Changes what `change` names and leaves the rest. Disabling ends the account's sessions in the same transaction.
    ///
    /// - Returns: The account as it is now; nil if there is none.
    func change(_ id: AccountID, in app: AppName, _ change: AccountChange, at now: Date) async throws -> Account?

    /// Sets a password, spends the secret that allowed it, voids every reset token, ends sessions and queues what tells the
    /// owner, in one transaction.
    ///
    /// - Returns: False if there is no such account, or its credentials changed since.
    /// - Throws: ``StoreRefusal/alreadySpent``; nothing has changed then.
    func setPassword(_ change: PasswordChange) async throws -> Bool

    /// The costliest bcrypt hash of an app's accounts; nil if there is none.
    func costliestHash(in app: AppName) async throws -> String?

    /// Replaces a hash by a costlier one of the same password, if it is still that hash.
    func upgradePasswordHash(of id: AccountID, in app: AppName, from old: String, to new: String) async throws

    /// Deletes the account with its sessions and tokens.
    ///
    /// - Parameter version: The credentials that whoever asks has shown; nil where nobody had to.
    /// - Returns: False if there is no such account, or its credentials are others by now.
    func delete(_ id: AccountID, in app: AppName, credentialVersion version: Int?) async throws -> Bool
}

/// What a store refuses on its own account.
public enum StoreRefusal: Error, Hashable, Sendable {
    case identifierTaken
    case alreadySpent
}

/// A secret that works once.
public enum SingleUseSecret: Hashable, Sendable {
    case code(id: String, app: AppName)
    case resetToken(hash: [UInt8], app: AppName)
}

public struct AccountChange: Hashable, Sendable {
    public var fullName: PersonName?
    public var addedRoles: [String]
    public var removedRoles: [String]
    public var isActive: Bool?

    public init(
        fullName: PersonName? = nil, addedRoles: [String] = [], removedRoles: [String] = [], isActive: Bool? = nil
    ) {
        self.fullName = fullName
        self.addedRoles = addedRoles
        self.removedRoles = removedRoles
        self.isActive = isActive
    }
}

public struct PasswordChange: Hashable, Sendable {
    public var app: AppName
    public var account: AccountID
    public var hash: String
    public var spending: SingleUseSecret?
    /// The account's credential version that the permission to change was given for; nil where that does not matter.
    public var credentialVersion: Int?
    /// Why the sessions end.
    public var reason: Revocation.Reason
    /// The one session that goes on. Its earlier refresh tokens are withdrawn.
    public var keeping: SessionID?
    /// Whether the session that goes on is moved to its next generation, so that its current refresh token is withdrawn too.
    public var renewsKept: Bool
    /// What tells the owner.
    public var notice: QueuedMessage?
    public var at: Date

    /// Whether the secret came by mail, so that whoever has it reads the account's mail.
    public var provesEmail: Bool {
        if case .resetToken = spending { return true }
        return false
    }

    public init(
        app: AppName, account: AccountID, hash: String, spending: SingleUseSecret? = nil,
        credentialVersion: Int? = nil, reason: Revocation.Reason, keeping: SessionID? = nil,
        renewsKept: Bool = false, notice: QueuedMessage? = nil, at: Date
    ) {
        self.app = app
        self.account = account
        self.hash = hash
        self.spending = spending
        self.credentialVersion = credentialVersion
        self.reason = reason
        self.keeping = keeping
        self.renewsKept = renewsKept
        self.notice = notice
        self.at = at
    }
}
