public import Foundation
public import OstiaryCore

/// A store of second factors and recovery codes.
public protocol FactorStore: Sendable {
    /// Returns the factors of an account in order of creation, with the number of its unused recovery codes.
    func factors(of account: AccountID, in app: AppName) async throws -> EnrolledFactors

    /// Returns the keyed hashes of an account's unused recovery codes, in the order of their bytes.
    func recoveryCodes(of account: AccountID, in app: AppName) async throws -> [[UInt8]]

    /// Returns the passkey with that credential id; `nil` if the app has none.
    func passkey(_ credentialID: [UInt8], in app: AppName) async throws -> Factor?

    /// Adds a factor with everything that belongs to the enrolment, in one transaction: the recovery codes, if these are
    /// the account's first; the authentication of the session that added it, or the session that the sign-in opens; the end of the account's other sessions; the message to the owner, and the record that the message's
    /// link redeems. An enrolment that replaces the account's factors also deletes these, the recovery codes and the devices, and
    /// increments the credential version.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent`` if the record that allowed the enrolment was redeemed before;
    ///   ``StoreRefusal/identifierTaken`` if a factor of the app has the id or the credential id. Nothing has changed then.
    func enrol(_ enrolment: FactorEnrolment) async throws -> EnrolmentOutcome

    /// Renames a factor of an account.
    ///
    /// - Returns: The renamed factor; `nil` if the account has none of that id.
    func rename(_ id: FactorID, of account: AccountID, in app: AppName, to name: String) async throws -> Factor?

    /// Removes a factor and queues the message to the owner, in one transaction. The recovery codes are deleted with the
    /// account's last factor. A passkey without which nothing is left to sign in with is not removed: see
    /// ``Account/hasNoWayIn(without:of:)``.
    ///
    /// - Parameters:
    ///   - keepingLast: `true` to refuse the removal of the account's last factor.
    ///   - undo: The record by which the owner restores what was removed.
    func remove(
        _ id: FactorID, of account: AccountID, in app: AppName, keepingLast: Bool, notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) async throws -> FactorRemovalOutcome

    /// Deletes all factors and recovery codes of an account, ends its sessions and queues the message to the owner, in one
    /// transaction.
    ///
    /// - Parameter undo: The record by which the owner restores what was removed.
    /// - Returns: The number of deleted factors.
    func removeFactors(
        of account: AccountID, in app: AppName, _ revocation: Revocation, notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) async throws -> Int

    /// Replaces the recovery codes of an account that has a factor, and queues the message to the owner, in one
    /// transaction.
    ///
    /// - Parameters:
    ///   - hashes: The keyed hashes of the codes.
    ///   - undo: The record by which the owner restores the codes before.
    /// - Returns: `false` if the account has no factor; nothing has changed then.
    func replaceRecoveryCodes(
        of account: AccountID, in app: AppName, with hashes: [[UInt8]], notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) async throws -> Bool

    /// Redeems a recovery code by one conditional write, adds a record of what it answers and queues the message to the owner,
    /// in one transaction.
    ///
    /// - Returns: `true` for the one call that redeemed it.
    /// - Throws: ``StoreRefusal/alreadySpent`` if there is a record of the same key. The code is not redeemed then.
    func redeemRecoveryCode(
        _ hash: [UInt8], of account: AccountID, in app: AppName, keeping record: SingleUseRecord?,
        notice: QueuedMessage?
    ) async throws -> Bool

    /// Records a use of a factor by one conditional write, if `counter` is greater than the stored one, or both are 0.
    ///
    /// - Returns: `false` if the account has no such factor, or the counter is not greater: the code was used before, or
    ///   the passkey may have been copied.
    func recordUse(
        of id: FactorID, of account: AccountID, in app: AppName, counter: Int64, at now: Date
    ) async throws -> Bool

    /// Undoes a change of an account's factors, in one transaction: removes what the change added unless it was used at a
    /// sign-in, restores what it removed, increments the credential version, ends all sessions, queues the message to the
    /// owner, and redeems the record that allowed it.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent`` if the record was redeemed before, has expired or is unknown. Nothing has
    ///   changed then.
    func undo(_ undo: FactorUndo) async throws -> FactorUndoOutcome
}

extension FactorStore {
    /// Redeems a recovery code without a record.
    public func redeemRecoveryCode(
        _ hash: [UInt8], of account: AccountID, in app: AppName, notice: QueuedMessage?
    ) async throws -> Bool {
        try await redeemRecoveryCode(hash, of: account, in: app, keeping: nil, notice: notice)
    }

    /// Removes a factor without a record of an undo.
    public func remove(
        _ id: FactorID, of account: AccountID, in app: AppName, keepingLast: Bool, notice: QueuedMessage?
    ) async throws -> FactorRemovalOutcome {
        try await remove(id, of: account, in: app, keepingLast: keepingLast, notice: notice, undo: nil)
    }

    /// Deletes all factors and recovery codes of an account without a record of an undo.
    public func removeFactors(
        of account: AccountID, in app: AppName, _ revocation: Revocation, notice: QueuedMessage?
    ) async throws -> Int {
        try await removeFactors(of: account, in: app, revocation, notice: notice, undo: nil)
    }

    /// Replaces the recovery codes of an account without a record of an undo.
    public func replaceRecoveryCodes(
        of account: AccountID, in app: AppName, with hashes: [[UInt8]], notice: QueuedMessage?
    ) async throws -> Bool {
        try await replaceRecoveryCodes(of: account, in: app, with: hashes, notice: notice, undo: nil)
    }
}

/// A second factor of an account.
public struct Factor: Hashable, Sendable {
    /// The app of the factor's account.
    public var app: AppName
    /// The account that the factor belongs to.
    public var account: AccountID
    /// The factor's id, unique within the app.
    public var id: FactorID
    /// The kind of the factor.
    public var kind: Kind
    /// The name that its owner gave it, of 1 to 64 code points.
    public var name: String
    /// The sealed secret of a TOTP authenticator, or the verification data of a passkey.
    public var material: [UInt8]
    /// The credential id of a passkey, unique within the app; `nil` for other kinds.
    public var credentialID: [UInt8]?
    /// The last accepted time step of TOTP, or the signature counter of a passkey.
    public var counter: Int64
    /// The time at which the factor was confirmed.
    public var createdAt: Date
    /// The time of the last authentication with the factor; `nil` if there was none since its confirmation.
    public var lastUsedAt: Date?

    /// The maximum number of factors of one account.
    public static let limitPerAccount = 10

    /// The kind of a factor. Kept in the store by raw value.
    public enum Kind: String, Hashable, Sendable {
        /// An authenticator app that generates time-based one-time passwords. Source: RFC 6238.
        case totp
        /// A passkey. Source: WebAuthn Level 3.
        case passkey
    }

    /// Creates a factor from its parts.
    public init(
        app: AppName, account: AccountID, id: FactorID, kind: Kind, name: String, material: [UInt8],
        credentialID: [UInt8]? = nil, counter: Int64, createdAt: Date, lastUsedAt: Date? = nil
    ) {
        self.app = app
        self.account = account
        self.id = id
        self.kind = kind
        self.name = name
        self.material = material
        self.credentialID = credentialID
        self.counter = counter
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }
}

/// The factors of an account.
public struct EnrolledFactors: Hashable, Sendable {
    /// The factors in order of creation.
    public var factors: [Factor]
    /// The number of unused recovery codes.
    public var recoveryCodesLeft: Int

    /// Creates the factors of an account from their parts.
    public init(factors: [Factor] = [], recoveryCodesLeft: Int = 0) {
        self.factors = factors
        self.recoveryCodesLeft = recoveryCodesLeft
    }
}

/// A factor to be added, with the writes that are committed together with it.
public struct FactorEnrolment: Hashable, Sendable {
    /// The factor.
    public var factor: Factor
    /// The record that allows the enrolment, redeemed in the same transaction; `nil` if it was redeemed before.
    public var spending: SingleUseRecordKey?
    /// The keyed hashes of the recovery codes that the account gets if it has none.
    public var recoveryCodes: [[UInt8]]
    /// The account's credential version that the enrolment was authorized for.
    public var credentialVersion: Int
    /// The session that adds the factor and continues; `nil` if the account is signing in or recovered.
    public var session: SessionID?
    /// The session that a sign-in opens with the factor; `nil` for none.
    public var opening: SessionToOpen?
    /// The factors that the account must have, in order of creation; `nil` for an enrolment by a session, which may add to any.
    public var knownFactors: [FactorID]? = nil
    /// `true` to delete the account's earlier factors, its recovery codes and its devices, and to increment its credential
    /// version. The account gets no recovery codes if it had a factor.
    public var replacesFactors = false
    /// The authentication of the continuing session from now on; that of a session to be opened is its own.
    public var authentication: AuthenticationContext
    /// The queued message that informs the account's owner.
    public var notice: QueuedMessage?
    /// The record by which the owner undoes the enrolment.
    public var undo: SingleUseRecord?
    /// The time of the enrolment.
    public var at: Date

    /// Creates an enrolment from its parts.
    public init(
        factor: Factor, spending: SingleUseRecordKey?, recoveryCodes: [[UInt8]], credentialVersion: Int,
        session: SessionID?, opening: SessionToOpen? = nil, authentication: AuthenticationContext,
        notice: QueuedMessage?, undo: SingleUseRecord? = nil, at: Date
    ) {
        self.factor = factor
        self.spending = spending
        self.recoveryCodes = recoveryCodes
        self.credentialVersion = credentialVersion
        self.session = session
        self.opening = opening
        self.authentication = authentication
        self.notice = notice
        self.undo = undo
        self.at = at
    }
}

/// A session that is added together with a factor.
public struct SessionToOpen: Hashable, Sendable {
    /// The session.
    public var session: Session
    /// Sealed bytes kept with the session and deleted with it.
    public var attachment: [UInt8]?

    /// Creates a session to be added from its parts.
    public init(session: Session, attachment: [UInt8]? = nil) {
        self.session = session
        self.attachment = attachment
    }
}

/// The outcome of an enrolment.
public enum EnrolmentOutcome: Hashable, Sendable {
    /// The factor was added; `true` if the recovery codes of the enrolment are the account's now.
    case enrolled(storedRecoveryCodes: Bool)
    /// The account has ``Factor/limitPerAccount`` factors.
    case limitReached
    /// The account is disabled or deleted, its credential version is another by now, the session that adds the factor has
    /// ended, or the account has other factors than the enrolment knew.
    case overtaken
}

/// The outcome of a removal.
public enum FactorRemovalOutcome: Hashable, Sendable {
    /// The factor was removed.
    case removed(Factor)
    /// The factor is the account's last one and is required, or nothing else is left to sign in with.
    case isLast
    /// The account has no factor of that id.
    case unknown
}
