package import Foundation
import GRDB
package import OstiaryCore
package import OstiaryEngine

extension SQLiteStore {
    package func factors(of account: AccountID, in app: AppName) async throws -> EnrolledFactors {
        try await read { db in
            EnrolledFactors(
                try db.rows(
                    """
                    SELECT \(RowReader.factorColumns),
                        (SELECT count(*) FROM recovery_code c WHERE c.app = ?1 AND c.account_id = ?2)
                    FROM factor WHERE app = ?1 AND account_id = ?2 ORDER BY number
                    """, [app.text, account.text], read: { try $0.factorWithCodeCount() }))
        }
    }

    package func recoveryCodes(of account: AccountID, in app: AppName) async throws -> [[UInt8]] {
        try await read { db in
            try db.rows(
                "SELECT hash FROM recovery_code WHERE app = ?1 AND account_id = ?2 ORDER BY hash",
                [app.text, account.text], read: { try $0.bytes() })
        }
    }

    package func passkey(_ credentialID: [UInt8], in app: AppName) async throws -> Factor? {
        try await read { db in
            try db.row(
                "SELECT \(RowReader.factorColumns) FROM factor WHERE app = ?1 AND credential_id = ?2",
                [app.text, Data(credentialID)], read: { try $0.factor() })
        }
    }

    package func enrol(_ enrolment: FactorEnrolment) async throws -> EnrolmentOutcome {
        try await write { try $0.enrol(enrolment) }
    }

    package func rename(
        _ id: FactorID, of account: AccountID, in app: AppName, to name: String
    ) async throws -> Factor? {
        try await write { db in
            try db.row(
                """
                UPDATE factor SET name = ?1 WHERE app = ?2 AND account_id = ?3 AND id = ?4
                RETURNING \(RowReader.factorColumns)
                """, [name, app.text, account.text, id.text], read: { try $0.factor() })
        }
    }

    package func remove(
        _ id: FactorID, of account: AccountID, in app: AppName, keepingLast: Bool, notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) async throws -> FactorRemovalOutcome {
        let now = system.now()
        return try await write { db in
            let factors = try db.factors(of: account, in: app)
            guard let removed = factors.first(where: { $0.id == id }) else { return .unknown }
            let isWayIn = try db.account(account, in: app)?.hasNoWayIn(without: id, of: factors) ?? false
            guard !keepingLast || factors.count > 1, !isWayIn else { return .isLast }
            try db.run("DELETE FROM factor WHERE app = ?1 AND id = ?2", [app.text, id.text])
            let codes = factors.count == 1 ? try db.deleteRecoveryCodes(of: account, in: app) : []
            if let notice { try db.enqueue(notice) }
            let gone = RemovedFactors(factors: [removed], recoveryCodes: codes)
            if let record = try undo?.record(of: gone) { try db.insert(record, at: now) }
            return .removed(removed)
        }
    }

    package func removeFactors(
        of account: AccountID, in app: AppName, _ revocation: Revocation, notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) async throws -> Int {
        try await write { db in
            guard try db.account(account, in: app) != nil else { return 0 }
            let factors = try db.factors(of: account, in: app)
            try db.deleteFactors(of: account, in: app)
            let codes = try db.deleteRecoveryCodes(of: account, in: app)
            try db.endSessions(of: account, in: app, keeping: nil, revocation)
            if let notice { try db.enqueue(notice) }
            let gone = RemovedFactors(factors: factors, recoveryCodes: codes)
            if let record = try undo?.record(of: gone) { try db.insert(record, at: revocation.at) }
            return factors.count
        }
    }

    package func replaceRecoveryCodes(
        of account: AccountID, in app: AppName, with hashes: [[UInt8]], notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) async throws -> Bool {
        let now = system.now()
        return try await write { db in
            guard try db.factorCount(of: account, in: app) > 0 else { return false }
            let codes = try db.deleteRecoveryCodes(of: account, in: app)
            try db.insert(recoveryCodes: hashes, of: account, in: app)
            if let notice { try db.enqueue(notice) }
            let gone = RemovedFactors(recoveryCodes: codes)
            if let record = try undo?.record(of: gone) { try db.insert(record, at: now) }
            return true
        }
    }

    package func redeemRecoveryCode(
        _ hash: [UInt8], of account: AccountID, in app: AppName, keeping record: SingleUseRecord?,
        notice: QueuedMessage?
    ) async throws -> Bool {
        let now = system.now()
        return try await write { db in
            let redeemed = try db.run(
                "DELETE FROM recovery_code WHERE app = ?1 AND account_id = ?2 AND hash = ?3",
                [app.text, account.text, Data(hash)])
            guard redeemed == 1 else { return false }
            if let record { try db.insert(record, at: now) }
            if let notice { try db.enqueue(notice) }
            return true
        }
    }

    package func recordUse(
        of id: FactorID, of account: AccountID, in app: AppName, counter: Int64, at now: Date
    ) async throws -> Bool {
        try await write { db in
            try db.run(
                """
                UPDATE factor SET counter = ?1, last_used_at = ?2
                WHERE app = ?3 AND account_id = ?4 AND id = ?5 AND (counter < ?1 OR (counter = 0 AND ?1 = 0))
                """, [counter, now.milliseconds, app.text, account.text, id.text]) == 1
        }
    }

    package func undo(_ undo: FactorUndo) async throws -> FactorUndoOutcome {
        try await write { try $0.undo(undo) }
    }
}

extension Database {
    /// - Throws: ``StoreRefusal/alreadySpent``, ``StoreRefusal/identifierTaken``.
    fileprivate func enrol(_ enrolment: FactorEnrolment) throws -> EnrolmentOutcome {
        let (app, id) = (enrolment.factor.app, enrolment.factor.account)
        guard let account = try account(id, in: app), account.isActive,
            account.credentialVersion == enrolment.credentialVersion
        else { return .overtaken }
        let factors = try factorCount(of: id, in: app)
        if let known = enrolment.knownFactors {
            guard try self.factors(of: id, in: app).map(\.id) == known else { return .overtaken }
        }
        guard enrolment.replacesFactors || factors < Factor.limitPerAccount else { return .limitReached }
        if let session = enrolment.session {
            let raised = try run(
                """
                UPDATE session SET authentication = ?1
                WHERE id = ?2 AND app = ?3 AND account_id = ?4 AND revoked_at IS NULL
                """, [enrolment.authentication.text, session.text, app.text, id.text])
            guard raised == 1 else { return .overtaken }
        }
        if let key = enrolment.spending { try spend(key, at: enrolment.at) }
        let storesCodes = try factors == 0 && recoveryCodeCount(of: id, in: app) == 0
        if enrolment.replacesFactors {
            try deleteFactors(of: id, in: app)
            _ = try deleteRecoveryCodes(of: id, in: app)
            try forgetDevices(of: id, in: app)
        }
        try insert(enrolment.factor)
        if storesCodes { try insert(recoveryCodes: enrolment.recoveryCodes, of: id, in: app) }
        if let opening = enrolment.opening {
            _ = try add(
                opening.session, credentialVersion: enrolment.credentialVersion, attachment: opening.attachment)
        }
        // After the session of the enrolment: it belongs to the version before.
        if enrolment.replacesFactors { try incrementCredentialVersion(of: id, in: app) }
        try endSessions(
            of: id, in: app, keeping: enrolment.session ?? enrolment.opening?.session.id,
            Revocation(reason: .factorsChanged, at: enrolment.at))
        if let notice = enrolment.notice { try enqueue(notice) }
        if let undo = enrolment.undo { try insert(undo, at: enrolment.at) }
        return .enrolled(storedRecoveryCodes: storesCodes)
    }

    /// - Throws: ``StoreRefusal/alreadySpent``.
    fileprivate func undo(_ undo: FactorUndo) throws -> FactorUndoOutcome {
        let (app, id) = (undo.app, undo.account)
        guard let account = try account(id, in: app), account.isActive,
            undo.credentialVersion.map({ $0 == account.credentialVersion }) ?? true
        else { return .overtaken }
        guard try isUnspent(undo.spending, at: undo.at) else { throw StoreRefusal.alreadySpent }
        var isKept = try undo.signIns.contains { try isUnspent($0, at: undo.at) }
        if let added = undo.addedFactor, account.hasNoWayIn(without: added, of: try factors(of: id, in: app)) {
            isKept = true
        }
        if !isKept {
            if let added = undo.addedFactor {
                try run(
                    "DELETE FROM factor WHERE app = ?1 AND account_id = ?2 AND id = ?3",
                    [app.text, id.text, added.text])
            }
            for hash in undo.addedRecoveryCodes {
                try run(
                    "DELETE FROM recovery_code WHERE app = ?1 AND account_id = ?2 AND hash = ?3",
                    [app.text, id.text, Data(hash)])
            }
            for record in undo.undone.added {
                // There is one already if another link undid the same addition.
                do { try insert(record, at: undo.at) } catch StoreRefusal.alreadySpent {}
            }
        }
        func isUndone(_ key: SingleUseRecordKey?) throws -> Bool {
            try key.map { try isUnspent($0, at: undo.at) } ?? false
        }
        var isComplete = true
        for factor in undo.removed.factors where try !isUndone(undo.undone.factors[factor.id]) {
            guard try factorCount(of: id, in: app) < Factor.limitPerAccount, try add(factor) else {
                isComplete = false
                continue
            }
        }
        if try factorCount(of: id, in: app) > 0 {
            let codes = try undo.removed.recoveryCodes.filter { try !isUndone(undo.undone.recoveryCodes[$0]) }
            try insert(recoveryCodes: codes, of: id, in: app)
        } else {
            _ = try deleteRecoveryCodes(of: id, in: app)
        }
        try incrementCredentialVersion(of: id, in: app)
        if isComplete { try spend(undo.spending, at: undo.at) }
        try forgetDevices(of: id, in: app)
        try endSessions(of: id, in: app, keeping: nil, Revocation(reason: .factorsChanged, at: undo.at))
        if let notice = undo.notice { try enqueue(notice) }
        return isComplete ? isKept ? .additionKept : .undone : .incomplete
    }

    /// Returns `true` if there is a single-use record that is not redeemed and has not expired.
    private func isUnspent(_ key: SingleUseRecordKey, at now: Date) throws -> Bool {
        try row(
            """
            SELECT 1 FROM ticket
            WHERE app = ?1 AND kind = ?2 AND hash = ?3 AND spent_at IS NULL AND expires_at > ?4
            """, [key.app.text, key.kind.rawValue, Data(key.hash), now.milliseconds], read: { try $0.integer() }) != nil
    }

    /// Redeems a single-use record by one conditional write.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent``.
    private func spend(_ key: SingleUseRecordKey, at now: Date) throws {
        let spent = try run(
            """
            UPDATE ticket SET spent_at = ?4
            WHERE app = ?1 AND kind = ?2 AND hash = ?3 AND spent_at IS NULL AND expires_at > ?4
            """, [key.app.text, key.kind.rawValue, Data(key.hash), now.milliseconds])
        guard spent == 1 else { throw StoreRefusal.alreadySpent }
    }

    /// - Throws: ``StoreRefusal/identifierTaken``.
    func insert(_ factor: Factor) throws {
        guard try add(factor) else { throw StoreRefusal.identifierTaken }
    }

    /// Adds a factor.
    ///
    /// - Returns: `false` if another factor of the app has the id or the credential id.
    private func add(_ factor: Factor) throws -> Bool {
        try run(
            """
            INSERT INTO factor (
                app, account_id, id, kind, name, material, credential_id, counter, created_at, last_used_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            ON CONFLICT DO NOTHING
            """,
            [
                factor.app.text, factor.account.text, factor.id.text, factor.kind.rawValue, factor.name,
                Data(factor.material), factor.credentialID.map { Data($0) }, factor.counter,
                factor.createdAt.milliseconds, factor.lastUsedAt?.milliseconds,
            ]) == 1
    }

    func insert(recoveryCodes hashes: [[UInt8]], of account: AccountID, in app: AppName) throws {
        for hash in hashes {
            try run(
                "INSERT INTO recovery_code (app, account_id, hash) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
                [app.text, account.text, Data(hash)])
        }
    }

    private func incrementCredentialVersion(of account: AccountID, in app: AppName) throws {
        try run(
            """
            UPDATE account SET credential_version = credential_version + 1, revision = revision + 1
            WHERE app = ?1 AND id = ?2
            """, [app.text, account.text])
    }

    fileprivate func deleteFactors(of account: AccountID, in app: AppName) throws {
        try run("DELETE FROM factor WHERE app = ?1 AND account_id = ?2", [app.text, account.text])
    }

    /// - Returns: The hashes of the deleted codes.
    fileprivate func deleteRecoveryCodes(of account: AccountID, in app: AppName) throws -> [[UInt8]] {
        try rows(
            "DELETE FROM recovery_code WHERE app = ?1 AND account_id = ?2 RETURNING hash", [app.text, account.text],
            read: { try $0.bytes() })
    }

    /// Returns the factors of an account in order of creation.
    fileprivate func factors(of account: AccountID, in app: AppName) throws -> [Factor] {
        try rows(
            "SELECT \(RowReader.factorColumns) FROM factor WHERE app = ?1 AND account_id = ?2 ORDER BY number",
            [app.text, account.text], read: { try $0.factor() })
    }

    fileprivate func factorCount(of account: AccountID, in app: AppName) throws -> Int {
        let count = try row(
            "SELECT count(*) FROM factor WHERE app = ?1 AND account_id = ?2", [app.text, account.text],
            read: { try $0.integer() })
        return Int(count ?? 0)
    }

    private func recoveryCodeCount(of account: AccountID, in app: AppName) throws -> Int {
        let count = try row(
            "SELECT count(*) FROM recovery_code WHERE app = ?1 AND account_id = ?2", [app.text, account.text],
            read: { try $0.integer() })
        return Int(count ?? 0)
    }
}
