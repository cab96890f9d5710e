package import Foundation
package import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

// Every change to the set of an account's factors locks the account first, so that concurrent changes see each other.

extension PostgresStore {
    package func factors(of account: AccountID, in app: AppName) async throws -> EnrolledFactors {
        EnrolledFactors(
            try await read(
                """
                SELECT \(PostgresReader.factorColumns),
                    (SELECT count(*) FROM recovery_code c WHERE c.app = $1 AND c.account_id = $2)
                FROM factor WHERE app = $1 AND account_id = $2 ORDER BY number
                """, [app.text, account.text]
            ).values { try $0.factorWithCodeCount() })
    }

    package func recoveryCodes(of account: AccountID, in app: AppName) async throws -> [[UInt8]] {
        try await read(
            "SELECT hash FROM recovery_code WHERE app = $1 AND account_id = $2 ORDER BY hash", [app.text, account.text]
        ).values { try $0.bytes() }
    }

    package func passkey(_ credentialID: [UInt8], in app: AppName) async throws -> Factor? {
        try await read(
            "SELECT \(PostgresReader.factorColumns) FROM factor WHERE app = $1 AND credential_id = $2",
            [app.text, credentialID]
        ).value { try $0.factor() }
    }

    package func enrol(_ enrolment: FactorEnrolment) async throws -> EnrolmentOutcome {
        try await enrol(enrolment, as: WriteOperation(system))
    }

    func enrol(_ enrolment: FactorEnrolment, as operation: WriteOperation) async throws -> EnrolmentOutcome {
        do {
            return try await transaction { tx in
                switch try await tx.begin(operation) {
                case .repeated(let answer): .enrolled(storedRecoveryCodes: answer == Self.storedCodes)
                case .first: try await tx.enrol(enrolment, as: operation)
                }
            }
        } catch let refusal as EnrolmentRefused {
            return refusal.outcome
        }
    }

    package func rename(
        _ id: FactorID, of account: AccountID, in app: AppName, to name: String
    ) async throws -> Factor? {
        try await write(
            """
            UPDATE factor SET name = $1 WHERE app = $2 AND account_id = $3 AND id = $4
            RETURNING \(PostgresReader.factorColumns)
            """, [name, app.text, account.text, id.text]
        ).value { try $0.factor() }
    }

    package func remove(
        _ id: FactorID, of account: AccountID, in app: AppName, keepingLast: Bool, notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) async throws -> FactorRemovalOutcome {
        // Read before the transaction, so that a repetition can return what the first try deleted.
        let known = try await read(
            "SELECT \(PostgresReader.factorColumns) FROM factor WHERE app = $1 AND account_id = $2 AND id = $3",
            [app.text, account.text, id.text]
        ).value { try $0.factor() }
        guard let known else { return .unknown }
        return try await remove(
            known, keepingLast: keepingLast, notice: notice, undo: undo, as: WriteOperation(system))
    }

    func remove(
        _ known: Factor, keepingLast: Bool, notice: QueuedMessage?, undo: FactorUndoRecord? = nil,
        as operation: WriteOperation
    ) async throws -> FactorRemovalOutcome {
        do {
            return try await transaction { tx in
                guard try await tx.begin(operation) == .first else { return .removed(known) }
                return .removed(
                    try await tx.remove(known, keepingLast: keepingLast, notice: notice, undo: undo, as: operation))
            }
        } catch let refusal as RemovalRefused {
            return refusal.outcome
        }
    }

    package func removeFactors(
        of account: AccountID, in app: AppName, _ revocation: Revocation, notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) async throws -> Int {
        try await removeFactors(
            of: account, in: app, revocation, notice: notice, undo: undo, as: WriteOperation(system))
    }

    func removeFactors(
        of account: AccountID, in app: AppName, _ revocation: Revocation, notice: QueuedMessage?,
        undo: FactorUndoRecord? = nil, as operation: WriteOperation
    ) async throws -> Int {
        do {
            return try await transaction { tx in
                if case .repeated(let answer) = try await tx.begin(operation) { return Int(answer ?? "") ?? 0 }
                guard try await tx.lockedAccount(account, in: app) != nil else { throw NothingDone() }
                let factors = try await tx.factors(of: account, in: app)
                try await tx.deleteFactors(of: account, in: app)
                let codes = try await tx.deleteRecoveryCodes(of: account, in: app)
                try await tx.remember(String(factors.count), of: operation)
                try await tx.keep(
                    undo?.record(of: RemovedFactors(factors: factors, recoveryCodes: codes)), as: operation)
                try await tx.commit(
                    after: [Self.endingSessions(of: account, in: app, keeping: nil, revocation)]
                        + (notice.map { [$0.insertion] } ?? []))
                return factors.count
            }
        } catch is NothingDone {
            return 0
        }
    }

    package func replaceRecoveryCodes(
        of account: AccountID, in app: AppName, with hashes: [[UInt8]], notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) async throws -> Bool {
        try await replaceRecoveryCodes(
            of: account, in: app, with: hashes, notice: notice, undo: undo, as: WriteOperation(system))
    }

    func replaceRecoveryCodes(
        of account: AccountID, in app: AppName, with hashes: [[UInt8]], notice: QueuedMessage?,
        undo: FactorUndoRecord? = nil, as operation: WriteOperation
    ) async throws -> Bool {
        // A delayed duplicate must not restore a redeemed code.
        try await performOnce(operation) { tx in
            guard try await tx.lockedAccount(account, in: app) != nil,
                try await tx.secondFactorCounts(of: account, in: app).factors > 0
            else { throw NothingDone() }
            let codes = try await tx.deleteRecoveryCodes(of: account, in: app)
            try await tx.keep(undo?.record(of: RemovedFactors(recoveryCodes: codes)), as: operation)
            try await tx.commit(
                after: Self.adding(recoveryCodes: hashes, of: account, in: app)
                    + (notice.map { [$0.insertion] } ?? []))
        }
    }

    package func redeemRecoveryCode(
        _ hash: [UInt8], of account: AccountID, in app: AppName, keeping record: SingleUseRecord?,
        notice: QueuedMessage?
    ) async throws -> Bool {
        try await redeemRecoveryCode(
            hash, of: account, in: app, keeping: record, notice: notice, as: WriteOperation(system))
    }

    func redeemRecoveryCode(
        _ hash: [UInt8], of account: AccountID, in app: AppName, keeping record: SingleUseRecord? = nil,
        notice: QueuedMessage?, as operation: WriteOperation
    ) async throws -> Bool {
        try await performOnce(operation) { tx in
            try await tx.keep(record, as: operation)
            let redeemed = try await tx.run(
                "DELETE FROM recovery_code WHERE app = $1 AND account_id = $2 AND hash = $3",
                [app.text, account.text, hash])
            guard redeemed.affected == 1 else { throw NothingDone() }
            try await tx.commit(after: notice.map { [$0.insertion] } ?? [])
        }
    }

    package func recordUse(
        of id: FactorID, of account: AccountID, in app: AppName, counter: Int64, at now: Date
    ) async throws -> Bool {
        try await recordUse(of: id, of: account, in: app, counter: counter, at: now, as: WriteOperation(system))
    }

    func recordUse(
        of id: FactorID, of account: AccountID, in app: AppName, counter: Int64, at now: Date,
        as operation: WriteOperation
    ) async throws -> Bool {
        let results = try await write([
            PostgresStatement(
                """
                UPDATE factor SET counter = $1, last_used_at = $2, used_by = $3::uuid
                WHERE app = $4 AND account_id = $5 AND id = $6 AND (counter < $1 OR (counter = 0 AND $1 = 0))
                """, [counter, now.milliseconds, operation.id, app.text, account.text, id.text]),
            // Queried, not taken from the number of affected rows: a repetition finds what the first try recorded.
            PostgresStatement(
                "SELECT number FROM factor WHERE app = $1 AND account_id = $2 AND id = $3 AND used_by = $4::uuid",
                [app.text, account.text, id.text, operation.id]),
        ])
        return !results[1].isEmpty
    }

    /// The answer of an enrolment that stored recovery codes, for repetitions.
    fileprivate static let storedCodes = "recovery codes"

    static func incrementingCredentialVersion(of account: AccountID, in app: AppName) -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE account SET credential_version = credential_version + 1, revision = revision + 1
            WHERE app = $1 AND id = $2
            """, [app.text, account.text])
    }

    static func adding(
        recoveryCodes hashes: [[UInt8]], of account: AccountID, in app: AppName
    ) -> [PostgresStatement] {
        hashes.map { hash in
            PostgresStatement(
                "INSERT INTO recovery_code (app, account_id, hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                [app.text, account.text, hash])
        }
    }
}

/// The error that rolls back an enrolment that the account does not permit.
private struct EnrolmentRefused: Error {
    let outcome: EnrolmentOutcome
}

/// The error that rolls back a removal that the account does not permit.
private struct RemovalRefused: Error {
    let outcome: FactorRemovalOutcome
}

extension PostgresTransaction {
    /// - Throws: ``EnrolmentRefused``; ``StoreRefusal/alreadySpent``, ``StoreRefusal/identifierTaken``.
    fileprivate func enrol(
        _ enrolment: FactorEnrolment, as operation: WriteOperation
    ) async throws -> EnrolmentOutcome {
        let (app, id) = (enrolment.factor.app, enrolment.factor.account)
        guard let account = try await lockedAccount(id, in: app), account.isActive,
            account.credentialVersion == enrolment.credentialVersion
        else { throw EnrolmentRefused(outcome: .overtaken) }
        let counts = try await secondFactorCounts(of: id, in: app)
        if let known = enrolment.knownFactors {
            let present = counts.factors == 0 ? [] : try await factors(of: id, in: app)
            guard present.map(\.id) == known else { throw EnrolmentRefused(outcome: .overtaken) }
        }
        if let session = enrolment.session {
            // Sessions end in transactions that lock the account first, or at sign-out, which ends this one either way.
            let isLive = try await !run(
                "SELECT 1 FROM session WHERE id = $1 AND app = $2 AND account_id = $3 AND revoked_at IS NULL",
                [session.text, app.text, id.text]
            ).isEmpty
            guard isLive else { throw EnrolmentRefused(outcome: .overtaken) }
        }
        guard enrolment.replacesFactors || counts.factors < Factor.limitPerAccount else {
            throw EnrolmentRefused(outcome: .limitReached)
        }
        if let key = enrolment.spending { try await spend(key, at: enrolment.at, as: operation) }
        if enrolment.replacesFactors {
            try await deleteFactors(of: id, in: app)
            _ = try await deleteRecoveryCodes(of: id, in: app)
        }
        guard try await add(enrolment.factor) else { throw StoreRefusal.identifierTaken }
        try await keep(enrolment.undo, as: operation)
        let storesCodes = counts == (0, 0)
        if storesCodes { try await remember(PostgresStore.storedCodes, of: operation) }
        let codes =
            storesCodes ? PostgresStore.adding(recoveryCodes: enrolment.recoveryCodes, of: id, in: app) : []
        let opening = enrolment.opening
        let adding =
            opening.map {
                PostgresStore.adding(
                    $0.session, credentialVersion: enrolment.credentialVersion, attachment: $0.attachment)
            } ?? []
        // After the session of the enrolment: it belongs to the version before.
        let replacing =
            enrolment.replacesFactors
            ? [
                PostgresStore.incrementingCredentialVersion(of: id, in: app),
                PostgresStore.forgettingDevices(of: id, in: app),
            ] : []
        let ending = PostgresStore.endingSessions(
            of: id, in: app, continuing: enrolment.session ?? opening?.session.id,
            with: opening?.session.authentication ?? enrolment.authentication,
            Revocation(reason: .factorsChanged, at: enrolment.at))
        let noting = opening.map { [PostgresStore.notingSignIn(of: $0.session)] } ?? []
        let notifying = enrolment.notice.map { [$0.insertion] } ?? []
        try await commit(after: codes + adding + replacing + [ending] + notifying + noting)
        return .enrolled(storedRecoveryCodes: storesCodes)
    }

    /// - Returns: The removed factor.
    /// - Throws: ``RemovalRefused``.
    fileprivate func remove(
        _ known: Factor, keepingLast: Bool, notice: QueuedMessage?, undo: FactorUndoRecord?,
        as operation: WriteOperation
    ) async throws -> Factor {
        let (app, account) = (known.app, known.account)
        guard let owner = try await lockedAccount(account, in: app) else { throw RemovalRefused(outcome: .unknown) }
        let factors = try await factors(of: account, in: app)
        let isLast = factors.count == 1
        let removed = try await run(
            """
            DELETE FROM factor WHERE app = $1 AND account_id = $2 AND id = $3
            RETURNING \(PostgresReader.factorColumns)
            """, [app.text, account.text, known.id.text]
        ).value { try $0.factor() }
        guard let removed else { throw RemovalRefused(outcome: .unknown) }
        guard !keepingLast || !isLast, !owner.hasNoWayIn(without: known.id, of: factors) else {
            throw RemovalRefused(outcome: .isLast)
        }
        let codes = isLast ? try await deleteRecoveryCodes(of: account, in: app) : []
        try await keep(undo?.record(of: RemovedFactors(factors: [removed], recoveryCodes: codes)), as: operation)
        try await commit(after: notice.map { [$0.insertion] } ?? [])
        return removed
    }

    /// Adds a single-use record, if there is one.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent`` if there is one of the same key.
    fileprivate func keep(_ record: SingleUseRecord?, as operation: WriteOperation) async throws {
        guard let record else { return }
        guard try await run(record.keeping(operation, at: operation.at)).isKept else {
            throw StoreRefusal.alreadySpent
        }
    }

    /// Returns the factors of an account in order of creation.
    func factors(of account: AccountID, in app: AppName) async throws -> [Factor] {
        try await run(
            "SELECT \(PostgresReader.factorColumns) FROM factor WHERE app = $1 AND account_id = $2 ORDER BY number",
            [app.text, account.text]
        ).values { try $0.factor() }
    }

    fileprivate func deleteFactors(of account: AccountID, in app: AppName) async throws {
        try await run("DELETE FROM factor WHERE app = $1 AND account_id = $2", [app.text, account.text])
    }

    /// - Returns: The hashes of the deleted codes.
    func deleteRecoveryCodes(of account: AccountID, in app: AppName) async throws -> [[UInt8]] {
        try await run(
            "DELETE FROM recovery_code WHERE app = $1 AND account_id = $2 RETURNING hash", [app.text, account.text]
        ).values { try $0.bytes() }
    }

    /// Returns the numbers of an account's factors and recovery codes.
    func secondFactorCounts(
        of account: AccountID, in app: AppName
    ) async throws -> (factors: Int, recoveryCodes: Int) {
        try await run(
            """
            SELECT (SELECT count(*) FROM factor WHERE app = $1 AND account_id = $2),
                (SELECT count(*) FROM recovery_code WHERE app = $1 AND account_id = $2)
            """, [app.text, account.text]
        ).value { (factors: Int(try $0.integer()), recoveryCodes: Int(try $0.integer())) } ?? (0, 0)
    }

    /// Redeems a single-use record by one conditional write.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent``.
    func spend(_ key: SingleUseRecordKey, at now: Date, as operation: WriteOperation) async throws {
        let spent = try await run(
            """
            UPDATE ticket SET spent_at = $4, spent_by = $5::uuid
            WHERE app = $1 AND kind = $2 AND hash = $3 AND spent_at IS NULL AND expires_at > $4
            """, [key.app.text, key.kind.rawValue, key.hash, now.milliseconds, operation.id])
        guard spent.affected == 1 else { throw StoreRefusal.alreadySpent }
    }

    /// Adds a factor.
    ///
    /// Does not rely on a unique index's error, see ``insertRow(_:as:issuer:)``.
    ///
    /// - Returns: `false` if another factor of the app has the id or the credential id.
    func add(_ factor: Factor) async throws -> Bool {
        try await run(
            """
            INSERT INTO factor (
                app, account_id, id, kind, name, material, credential_id, counter, created_at, last_used_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            ON CONFLICT DO NOTHING
            """,
            [
                factor.app.text, factor.account.text, factor.id.text, factor.kind.rawValue, factor.name,
                factor.material, factor.credentialID, factor.counter, factor.createdAt.milliseconds,
                factor.lastUsedAt?.milliseconds,
            ]
        ).affected == 1
    }
}
