public import Foundation
public import OstiaryCore

/// A store of accounts.
public protocol AccountStore: Sendable {
    /// Creates an account with its factors, or with the passkey that it begins with, redeems `secret`, if there is one, and
    /// queues the invitation of its owner, in one transaction.
    ///
    /// - Throws: ``StoreRefusal/identifierTaken`` if another account of the app has the id, the username, the phone
    ///   number, the provider's subject, the id or the credential id of a factor, or (local accounts) the email, or if a
    ///   username is another local account's email or the other way round, or is what another account signs in by in
    ///   exactly that spelling;
    ///   ``StoreRefusal/alreadySpent``.
    func add(_ account: NewAccount, spending secret: SingleUseSecret?) async throws -> Account

    /// Returns the account of a person that an identity provider vouches for, updated with the labels the provider
    /// gives now; creates the account if there is none.
    ///
    /// Runs in one transaction, so concurrent first sign-ins create one account. An account that was imported without
    /// its issuer is claimed by the first sign-in of that kind and subject. A new account gets the first of the
    /// usernames that no other account has.
    ///
    /// - Throws: ``StoreRefusal/identifierTaken`` if usernames are unique and other accounts have all of them.
    func account(of upsert: ProviderAccountUpsert) async throws -> Account

    /// Returns `true` if ``account(of:)`` would return an account that is there already.
    func hasAccount(of upsert: ProviderAccountUpsert) async throws -> Bool

    /// Returns the account with that id; `nil` if the app has none.
    func account(_ id: AccountID, in app: AppName) async throws -> Account?

    /// Returns the account with that email (local accounts only), phone number or username; `nil` if there is none. A
    /// username is looked up in its exact spelling (``NewAccount/UsernameUse/exactSpelling``), then in its canonical
    /// form; one that no account has is tried as an email.
    func account(identifiedBy identifier: Identifier, in app: AppName) async throws -> Account?

    /// Returns the accounts whose username or email has the canonical form `name`, whether it signs in or is a
    /// provider's label, in order of creation.
    ///
    /// - Returns: At most `limit`.
    func accounts(labelled name: String, in app: AppName, limit: Int) async throws -> [Account]

    /// Returns a page of accounts in order of creation, beginning after `position`.
    ///
    /// - Returns: The accounts, and the position of the last; the position is `nil` if there are no more.
    func accounts(in app: AppName, after position: Int?, limit: Int) async throws -> (page: [Account], position: Int?)

    /// Applies the fields that `change` sets and leaves the others, see ``AccountChange/applied(to:passkeys:)``, in one
    /// transaction. Disabling an account ends its sessions, and ``AccountChange/endsImpersonations`` those of administrators;
    /// another identifier or state voids every reset token, see ``Account/keepsResetTokens(becoming:)``; another address or state
    /// adds ``AccountChange/voidedLinks`` and deletes the codes of ``AccountChange/voidedCodes``; the owner's notice is queued.
    ///
    /// - Returns: The updated account; `nil` if there is none.
    /// - Throws: ``StoreRefusal/identifierTaken`` as ``add(_:spending:)``; ``StoreRefusal/identifierMissing``;
    ///   ``StoreRefusal/lastWayIn``; ``StoreRefusal/overtaken``; ``StoreRefusal/attributesTooLarge``. Nothing has changed then.
    func change(_ id: AccountID, in app: AppName, _ change: AccountChange, at now: Date) async throws -> Account?

    /// Sets a password, redeems the secret that allowed it, voids every reset token, ends sessions and queues the
    /// message to the account's owner, in one transaction that increments the credential version.
    ///
    /// - Returns: `false` if there is no such account, or its credentials have changed since.
    /// - Throws: ``StoreRefusal/alreadySpent``; nothing has changed then.
    func setPassword(_ change: PasswordChange) async throws -> Bool

    /// Deletes the channel of the last reset from an account, see ``Account/passwordResetChannel``, unless its credential
    /// version is another by now.
    ///
    /// - Parameters:
    ///   - version: The credential version of the account whose factor was shown.
    ///   - provingEmail: `true` if the password of the reset was shown together with another factor. A reset by mail then proves
    ///     the address, see ``PasswordChange/provesEmail``.
    func forgetPasswordReset(
        of account: AccountID, in app: AppName, credentialVersion version: Int, provingEmail: Bool
    ) async throws

    /// Returns the bcrypt hash with the highest cost among an app's accounts; `nil` if there is none.
    func costliestHash(in app: AppName) async throws -> String?

    /// Replaces a hash by one of the same password with a higher cost, if the stored hash is still `old`
    /// (compare-and-set).
    func upgradePasswordHash(of id: AccountID, in app: AppName, from old: String, to new: String) async throws

    /// Deletes the account with its sessions and tokens.
    ///
    /// - Parameters:
    ///   - version: The credential version that the caller has authenticated with; `nil` where no authentication was
    ///     required.
    ///   - role: A role that another active account must have, see ``AccountChange/keptRole``; `nil` for none.
    /// - Returns: `false` if there is no such account, or its credential version is another by now.
    /// - Throws: ``StoreRefusal/lastHolder``.
    func delete(
        _ id: AccountID, in app: AppName, credentialVersion version: Int?, keeping role: String?
    ) async throws -> Bool
}

extension AccountStore {
    /// Deletes the account with its sessions and tokens, whatever its roles are.
    public func delete(_ id: AccountID, in app: AppName, credentialVersion version: Int?) async throws -> Bool {
        try await delete(id, in: app, credentialVersion: version, keeping: nil)
    }
}

/// The refusals that a store decides itself.
public enum StoreRefusal: Error, Hashable, Sendable {
    /// A name, id or identity is another account's.
    case identifierTaken
    /// The single-use secret was redeemed before or is unknown, or a single-use record of the same key exists.
    case alreadySpent
    /// The account would be left without an identifier.
    case identifierMissing
    /// The account would be left without a way to sign in.
    case lastWayIn
    /// The account was changed since the caller read it.
    case overtaken
    /// The account's attributes would exceed `AttributeDefinitions.maximumBytes` together.
    case attributesTooLarge
    /// No active account would have a role that one must have.
    case lastHolder
}

/// A secret that can be redeemed once.
public enum SingleUseSecret: Hashable, Sendable {
    /// A one-time code.
    case code(id: String, app: AppName)
    /// A password reset token, by its keyed hash.
    case resetToken(hash: [UInt8], app: AppName)
}

/// An administrator's or owner's change of an account; `nil` and empty fields leave the account's as they are.
public struct AccountChange: Hashable, Sendable {
    /// The new full name.
    public var fullName: PersonName?
    /// The roles that replace all others, before the additions; `nil` to keep them.
    public var replacedRoles: [RoleAssignment]?
    /// Roles that are added; ones that the account has already are ignored.
    public var addedRoles: [RoleAssignment]
    /// Roles that are removed, after the additions.
    public var removedRoles: [RoleAssignment]
    /// The new state; `false` also ends every session of the account.
    public var isActive: Bool?
    /// A role that an active account of the app must have in every scope after the change; `nil` for none. The store decides
    /// it in the transaction of the change, so that two concurrent changes cannot remove each other's holder.
    public var keptRole: String?
    /// `true` to end the sessions in which administrators act for the account.
    public var endsImpersonations = false
    /// The record that voids the links and codes that were sent to the account before. It is added, or replaces one with an
    /// earlier end, if the change gives the account another address or state, see ``Account/keepsSentLinks(becoming:)``.
    public var voidedLinks: SingleUseRecord?
    /// The keyed hashes of the recipients whose codes are deleted with such a change.
    public var voidedCodes: [[UInt8]] = []
    /// `true` to remove the full name.
    public var removesFullName = false
    /// The change of the identifiers; nil to leave them.
    public var identifiers: IdentifierChange?
    /// The change of the attributes, which is merged into those that the account has.
    public var attributes: AttributeChange
    /// The tag that the profile must have; nil for a change of whatever it is. The store compares it in the transaction of the
    /// change.
    public var expectedProfile: EntityTag?
    /// The tag that the role assignments must have, as ``expectedProfile``.
    public var expectedRoles: EntityTag?

    /// Creates a change from its parts.
    public init(
        fullName: PersonName? = nil, addedRoles: [RoleAssignment] = [], removedRoles: [RoleAssignment] = [],
        isActive: Bool? = nil, replacedRoles: [RoleAssignment]? = nil, attributes: AttributeChange = AttributeChange()
    ) {
        self.fullName = fullName
        self.replacedRoles = replacedRoles
        self.addedRoles = addedRoles
        self.removedRoles = removedRoles
        self.isActive = isActive
        self.attributes = attributes
    }

    /// `false` for a change that a store may repeat: it writes what is there already.
    public var isConditional: Bool { identifiers != nil || expectedProfile != nil || expectedRoles != nil }

    /// `false` for a change that leaves every account its roles, and its state if it is active.
    public var canEndRole: Bool { isActive == false || !removedRoles.isEmpty || replacedRoles != nil }

    /// The reason for which every session of the account ends with the change; `nil` if the sessions remain.
    public var sessionEnd: Revocation.Reason? {
        if isActive == false { return .accountDisabled }
        return identifiers?.unlinking == nil ? nil : .endedByAdministrator
    }

    /// Returns the assignments of an account after the change, in the order of their texts.
    public func assignments(after assignments: [RoleAssignment]) -> [RoleAssignment] {
        Set(replacedRoles ?? assignments).union(addedRoles).subtracting(removedRoles).sorted()
    }
}

/// A new password of an account, with the writes that are committed together with it.
public struct PasswordChange: Hashable, Sendable {
    /// The account's app.
    public var app: AppName
    /// The account's id.
    public var account: AccountID
    /// The new password's hash, in `crypt(3)` form; `nil` for an account without a password, whose access ends and which gets
    /// none.
    public var hash: String?
    /// The secret that allowed the change, redeemed in the same transaction.
    public var spending: SingleUseSecret?
    /// The account's credential version that the change was authorized for; `nil` where it is not compared.
    public var credentialVersion: Int?
    /// The reason recorded with the sessions that end.
    public var reason: Revocation.Reason
    /// The one session that continues. Its earlier refresh tokens are withdrawn.
    public var keeping: SessionID?
    /// `true` if the continuing session is moved to its next generation, so its current refresh token is withdrawn too.
    public var renewsKept: Bool
    /// The queued message that informs the account's owner.
    public var notice: QueuedMessage?
    /// The time of the change.
    public var at: Date

    /// `true` if the secret was delivered by mail, which proves that its holder reads the account's mail. It proves the address
    /// to be the owner's if the account has no second factors: otherwise who added them may be another person.
    public var provesEmail: Bool { resetChannel == .email }

    /// The channel that delivered the secret; `nil` for a change without one.
    public var resetChannel: PasswordResetChannel? {
        switch spending {
        case .resetToken: .email
        case .code: .sms
        case nil: nil
        }
    }

    /// `true` if the account forgets its devices, because no session continues: another person may have known the password.
    public var forgetsDevices: Bool { keeping == nil }

    /// Creates a change from its parts.
    public init(
        app: AppName, account: AccountID, hash: String?, spending: SingleUseSecret? = nil,
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
