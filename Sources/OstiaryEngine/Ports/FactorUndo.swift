public import Foundation
public import OstiaryCore

/// A single-use record by which an account's owner undoes a removal. The store adds it in the transaction of the removal,
/// with a payload made of what that transaction deleted.
public struct FactorUndoRecord: Sendable {
    /// The key of the record.
    public var key: SingleUseRecordKey
    /// The time from which the record cannot be redeemed.
    public var expiresAt: Date
    private let payload: @Sendable (RemovedFactors) throws -> [UInt8]

    /// Creates a record from its parts.
    ///
    /// - Parameter payload: Seals what was removed. May run more than once.
    public init(
        key: SingleUseRecordKey, expiresAt: Date, payload: @escaping @Sendable (RemovedFactors) throws -> [UInt8]
    ) {
        self.key = key
        self.expiresAt = expiresAt
        self.payload = payload
    }

    /// Returns the record to add.
    public func record(of removed: RemovedFactors) throws -> SingleUseRecord {
        SingleUseRecord(
            app: key.app, kind: key.kind, hash: key.hash, payload: try payload(removed), expiresAt: expiresAt)
    }
}

/// The factors and recovery codes that a change removed.
public struct RemovedFactors: Hashable, Sendable {
    /// The factors in order of creation.
    public var factors: [Factor]
    /// The keyed hashes of the recovery codes that were unused.
    public var recoveryCodes: [[UInt8]]

    /// Creates the removed factors from their parts.
    public init(factors: [Factor] = [], recoveryCodes: [[UInt8]] = []) {
        self.factors = factors
        self.recoveryCodes = recoveryCodes
    }
}

/// The undo of a change of an account's factors, with the writes that are committed together with it.
public struct FactorUndo: Hashable, Sendable {
    /// The account's app.
    public var app: AppName
    /// The account's id.
    public var account: AccountID
    /// The record that allows the undo. It stays valid if something could not be restored.
    public var spending: SingleUseRecordKey
    /// The factor that the change added.
    public var addedFactor: FactorID?
    /// The keyed hashes of the recovery codes that the change added.
    public var addedRecoveryCodes: [[UInt8]]
    /// The records of sign-ins with what the change added. While there is one, nothing that was added is removed.
    public var signIns: [SingleUseRecordKey]
    /// The factors and recovery codes that are restored, except those whose addition was undone. Recovery codes are restored
    /// to an account with a factor.
    public var removed: RemovedFactors
    /// The records that say of a factor or a recovery code that its addition was undone.
    public var undone: UndoneFactorRecords
    /// The queued message that informs the account's owner.
    public var notice: QueuedMessage?
    /// The account's credential version when the link was checked; nil to undo whatever has changed since.
    public var credentialVersion: Int?
    /// The time of the undo.
    public var at: Date

    /// Creates an undo from its parts.
    public init(
        app: AppName, account: AccountID, spending: SingleUseRecordKey, addedFactor: FactorID? = nil,
        addedRecoveryCodes: [[UInt8]] = [], signIns: [SingleUseRecordKey] = [],
        removed: RemovedFactors = RemovedFactors(), undone: UndoneFactorRecords = UndoneFactorRecords(),
        notice: QueuedMessage? = nil, credentialVersion: Int? = nil, at: Date
    ) {
        self.app = app
        self.account = account
        self.credentialVersion = credentialVersion
        self.spending = spending
        self.addedFactor = addedFactor
        self.addedRecoveryCodes = addedRecoveryCodes
        self.signIns = signIns
        self.removed = removed
        self.undone = undone
        self.notice = notice
        self.at = at
    }
}

/// The records that say of a factor or a recovery code that its addition was undone: the links of later changes then do not
/// restore it.
public struct UndoneFactorRecords: Hashable, Sendable {
    /// The records that an undo adds if it removes what the change added.
    public var added: [SingleUseRecord]
    /// The keys of the records of removed factors.
    public var factors: [FactorID: SingleUseRecordKey]
    /// The keys of the records of removed recovery codes, by their keyed hashes.
    public var recoveryCodes: [[UInt8]: SingleUseRecordKey]

    /// Creates records from their parts.
    public init(
        added: [SingleUseRecord] = [], factors: [FactorID: SingleUseRecordKey] = [:],
        recoveryCodes: [[UInt8]: SingleUseRecordKey] = [:]
    ) {
        self.added = added
        self.factors = factors
        self.recoveryCodes = recoveryCodes
    }
}

/// The outcome of an undo.
public enum FactorUndoOutcome: String, Hashable, Sendable {
    /// The change is undone, and all sessions have ended.
    case undone
    /// All sessions have ended, and what was removed is restored. What was added remains: it was used at a sign-in.
    case additionKept = "addition_kept"
    /// All sessions have ended. Not everything could be restored: the account has ``Factor/limitPerAccount`` factors, or
    /// another factor has the credential id. The record is still valid.
    case incomplete
    /// The account is disabled or deleted, or its credentials have changed; nothing has changed.
    case overtaken
}
