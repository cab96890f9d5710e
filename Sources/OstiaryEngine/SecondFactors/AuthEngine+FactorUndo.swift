public import Foundation
public import OstiaryCore

/// A change of factors that its owner can undo.
public struct UndoableFactorChange: Hashable, Sendable {
    /// The change.
    public var change: FactorChange
    /// The kind of the factor that was added or removed; nil for other changes.
    public var kind: Factor.Kind?
    /// The time of the change.
    public var at: Date

    /// Creates a change from its parts.
    public init(change: FactorChange, kind: Factor.Kind?, at: Date) {
        self.change = change
        self.kind = kind
        self.at = at
    }
}

/// The page that the link of a notice leads to: see decision 57.
extension AuthEngine {
    /// Returns the change that a link undoes. Redeems nothing: mail scanners open every link.
    ///
    /// - Throws: `AuthError.notFound` for a link that is unknown, used or expired, for an account that is deleted, is or was
    ///   disabled, or has another address by now; `AuthError.tooManyAttempts(retryAfterSeconds:)`;
    ///   `AuthError.unavailable(incident:)`.
    public func factorChange(undoneBy token: Secret<String>) async throws(AuthError) -> UndoableFactorChange {
        try await run(FactorUndoLookupHandler(token: token))
    }

    /// Undoes the change of a link, ends all sessions of the account, and forgets its devices and networks.
    ///
    /// - Returns: The change, and what remains of it.
    /// - Throws: As ``factorChange(undoneBy:)``.
    public func undoFactorChange(
        _ token: Secret<String>
    ) async throws(AuthError) -> (change: UndoableFactorChange, outcome: FactorUndoOutcome) {
        try await run(FactorUndoHandler(token: token))
    }

    /// Returns the content of a link's record, and its account.
    ///
    /// - Throws: ``AuthError/notFound``, also if the account has no longer the address that the link was sent to, and if it was
    ///   disabled since.
    fileprivate func undoable(
        _ token: Secret<String>
    ) async throws -> (record: SingleUseRecord, payload: FactorUndoPayload, account: Account) {
        let key = undoKey(of: token)
        guard app.secondFactor.requirement != .off,
            let record = try await ports.store.singleUseRecord(
                key.kind, key.hash, in: app.name, at: ports.system.now())
        else { throw AuthError.notFound }
        let payload = try FactorUndoPayload(record, ports.keys)
        guard let account = try await ports.store.account(AccountID(payload.account), in: app.name), account.isActive,
            payload.recipient.map({ recipientKeys(of: account).contains(Array($0)) }) ?? true,
            try await !isVoid(sentAt: payload.at, to: account.id)
        else { throw AuthError.notFound }
        return (record, payload, account)
    }
}

/// Checks whether the link of a notice is still valid. Counts only against the flood limits, as the lookup of every mailed
/// link.
private struct FactorUndoLookupHandler: OperationHandler {
    let token: Secret<String>

    static let action = OperationKind.removeFactor
    static let name = "lookUpFactorUndo"
    static let auditing = Auditing.never
    var attempts: Attempts { Attempts(kind: .other, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<UndoableFactorChange> {
        Outcome(try await engine.undoable(token).payload.undoableChange())
    }
}

/// Restores what a change of factors removed, removes what it added unless that was used at a sign-in, ends all sessions, and
/// forgets the devices and networks by which a thief would be recognized.
private struct FactorUndoHandler: OperationHandler {
    let token: Secret<String>

    static let action = OperationKind.removeFactor
    static let name = "undoFactorChange"
    static let auditing = Auditing.always
    var attempts: Attempts { Attempts(kind: .reset, identifier: nil) }

    func perform(
        in engine: AuthEngine
    ) async throws -> Outcome<(change: UndoableFactorChange, outcome: FactorUndoOutcome)> {
        let (ports, app) = (engine.ports, engine.app.name)
        let (record, payload, account) = try await engine.undoable(token)
        let addedFactor = try payload.addedFactor.map { try FactorID($0) }
        let addedCodes = payload.addedCodes.map { Array($0) }
        let removed = try payload.removed(in: app)
        let undo = FactorUndo(
            app: app, account: account.id, spending: record.key, addedFactor: addedFactor,
            addedRecoveryCodes: addedCodes,
            signIns: [addedFactor.map(engine.signInKey(of:))].compactMap(\.self)
                + addedCodes.map(engine.signInKey(ofRecoveryCode:)),
            removed: removed, undone: engine.undoneRecords(addedFactor, addedCodes, removed),
            notice: try await engine.notice(of: .undone, to: account), credentialVersion: account.credentialVersion,
            at: ports.system.now())
        let outcome: FactorUndoOutcome
        do { outcome = try await ports.store.undo(undo) } catch StoreRefusal.alreadySpent {
            throw Refused(.notFound, account: account.id)
        }
        guard outcome != .overtaken else { throw Refused(.notFound, account: account.id) }
        await engine.forgetNetworks(of: account)
        ports.notificationSealer.wake()
        return Outcome((try payload.undoableChange(), outcome), account: account.id)
    }
}
