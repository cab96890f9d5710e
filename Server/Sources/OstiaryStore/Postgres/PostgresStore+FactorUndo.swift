import Foundation
import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func undo(_ undo: FactorUndo) async throws -> FactorUndoOutcome {
        try await self.undo(undo, as: WriteOperation(system))
    }

    func undo(_ undo: FactorUndo, as operation: WriteOperation) async throws -> FactorUndoOutcome {
        do {
            return try await transaction { tx in
                switch try await tx.begin(operation) {
                case .repeated(let answer): answer.flatMap(FactorUndoOutcome.init) ?? .undone
                case .first: try await tx.undo(undo, as: operation)
                }
            }
        } catch is NothingDone {
            return .overtaken
        }
    }
}

extension PostgresTransaction {
    /// - Throws: ``NothingDone`` for an account that is disabled or deleted, or has other credentials; ``StoreRefusal/alreadySpent``.
    fileprivate func undo(_ undo: FactorUndo, as operation: WriteOperation) async throws -> FactorUndoOutcome {
        let (app, id) = (undo.app, undo.account)
        guard let account = try await lockedAccount(id, in: app), account.isActive,
            undo.credentialVersion.map({ $0 == account.credentialVersion }) ?? true
        else { throw NothingDone() }
        guard try await isUnspent(undo.spending, at: undo.at) else { throw StoreRefusal.alreadySpent }
        var isKept = false
        for signIn in undo.signIns where try await isUnspent(signIn, at: undo.at) { isKept = true }
        if let added = undo.addedFactor, account.hasNoWayIn(without: added, of: try await factors(of: id, in: app)) {
            isKept = true
        }
        if !isKept {
            if let added = undo.addedFactor {
                try await run(
                    "DELETE FROM factor WHERE app = $1 AND account_id = $2 AND id = $3",
                    [app.text, id.text, added.text])
            }
            for hash in undo.addedRecoveryCodes {
                try await run(
                    "DELETE FROM recovery_code WHERE app = $1 AND account_id = $2 AND hash = $3",
                    [app.text, id.text, hash])
            }
            for record in undo.undone.added { try await run(record.keeping(operation, at: operation.at)) }
        }
        var isComplete = true
        for factor in undo.removed.factors where try await !isUndone(undo.undone.factors[factor.id], at: undo.at) {
            let hasRoom = try await secondFactorCounts(of: id, in: app).factors < Factor.limitPerAccount
            guard hasRoom, try await add(factor) else {
                isComplete = false
                continue
            }
        }
        var statements: [PostgresStatement] = []
        if try await secondFactorCounts(of: id, in: app).factors > 0 {
            var codes: [[UInt8]] = []
            for code in undo.removed.recoveryCodes
            where try await !isUndone(undo.undone.recoveryCodes[code], at: undo.at) { codes.append(code) }
            statements += PostgresStore.adding(recoveryCodes: codes, of: id, in: app)
        } else {
            _ = try await deleteRecoveryCodes(of: id, in: app)
        }
        if isComplete { try await spend(undo.spending, at: undo.at, as: operation) }
        let outcome: FactorUndoOutcome = isComplete ? isKept ? .additionKept : .undone : .incomplete
        try await remember(outcome.rawValue, of: operation)
        statements += [
            PostgresStore.incrementingCredentialVersion(of: id, in: app),
            PostgresStore.forgettingDevices(of: id, in: app),
            PostgresStore.endingSessions(
                of: id, in: app, keeping: nil, Revocation(reason: .factorsChanged, at: undo.at)),
        ]
        try await commit(after: statements + (undo.notice.map { [$0.insertion] } ?? []))
        return outcome
    }

    private func isUndone(_ key: SingleUseRecordKey?, at now: Date) async throws -> Bool {
        guard let key else { return false }
        return try await isUnspent(key, at: now)
    }

    /// Returns `true` if there is a single-use record that is not redeemed and has not expired.
    private func isUnspent(_ key: SingleUseRecordKey, at now: Date) async throws -> Bool {
        try await !run(
            "SELECT 1 FROM ticket WHERE app = $1 AND kind = $2 AND hash = $3 AND spent_at IS NULL AND expires_at > $4",
            [key.app.text, key.kind.rawValue, key.hash, now.milliseconds]
        ).isEmpty
    }
}
