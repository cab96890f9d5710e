package import Foundation
package import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func add(
        _ session: Session, credentialVersion: Int, attachment: [UInt8]?, keeping limit: Int
    ) async throws -> Bool {
        try await open(
            SessionOpening(
                session: session, credentialVersion: credentialVersion, attachment: attachment, keeping: limit))
    }

    package func open(_ opening: SessionOpening) async throws -> Bool {
        if let proof = opening.proof { try await add(proof) }
        let statements = Self.opening(opening)
        guard let renewal = opening.renewal else { return try await write(statements).last?.isEmpty == false }
        // A repetition finds the session and the hash of the first try.
        return try await transaction { tx in
            guard try await tx.run(statements).last?.isEmpty == false else { return false }
            let renewed = try await tx.run(Self.replacing(renewal.hash, by: renewal.device))
            guard renewed.last?.isEmpty == false else { throw StoreRefusal.overtaken }
            return true
        }
    }

    /// Adds a session, and binds it to its key. The last statement returns a row if it was added.
    ///
    /// Locks the account until the commit: a transaction at another node that disables it or changes its credentials
    /// waits, and then ends this session too.
    private static func opening(_ opening: SessionOpening) -> [PostgresStatement] {
        let session = opening.session
        var statements = lockingActor(of: session)
        statements += adding(
            session, credentialVersion: opening.credentialVersion, attachment: opening.attachment)
        if let key = opening.appKey { statements.append(binding(session.id, toAppKey: key, in: session.app)) }
        // An administrator who acts for the account ends none of its sessions, and opens none.
        if session.actor == nil {
            statements.append(
                endingOldestSessions(
                    of: session.accountID, in: session.app, keeping: opening.limit,
                    Revocation(reason: .tooManySessions, at: session.createdAt)))
            statements.append(notingSignIn(of: session))
        }
        // Queried, not taken from the number of affected rows: a repetition finds the session that the first try added.
        statements.append(
            PostgresStatement(
                "SELECT number FROM session WHERE id = $1 AND app = $2 AND account_id = $3",
                [session.id.text, session.app.text, session.accountID.text]))
        return statements
    }

    package func session(_ id: SessionID, in app: AppName) async throws -> SessionState? {
        try await Self.measuring(#function) {
            try await sessionReads.answer(to: SessionCall(id: id, app: app)) { [self] in try await sessions($0) }?.get()
        }
    }

    /// Reads the sessions of several calls by one statement. A row that cannot be read fails its own call alone.
    func sessions(
        _ calls: [SessionCall]
    ) async throws -> @Sendable (SessionCall) -> Result<SessionState, any Error>? {
        let rows = try await Self.translating {
            try await pool.read(
                """
                SELECT s.id, s.app, \(PostgresReader.sessionColumns), s.first_used_at, \(PostgresReader.accountColumns)
                FROM session s JOIN account a ON a.app = s.app AND a.id = s.account_id
                WHERE s.id = ANY ($1)
                """, [calls.map(\.id.text)])
        }
        let found = try rows.values { row in
            let call = SessionCall(id: try row.value(SessionID.init), app: try row.value(AppName.init))
            return (call, Result { try row.sessionState() })
        }
        let states = Dictionary(found) { first, _ in first }
        return { states[$0] }
    }

    package func noteUse(of generation: Int, in session: SessionID, app: AppName, at now: Date) {
        // Until the use is recorded, every request of the session asks for it again.
        let use = PendingTokenUses.Use(session: session, generation: generation)
        guard pendingTokenUses.begin(use) else { return }
        Task {
            // Every generation before the current one was recorded at its rotation. A failed record is lost, which is
            // the safe side; the next request tries again.
            _ = try? await write(
                """
                UPDATE session SET first_used_at = $1
                WHERE id = $2 AND app = $3 AND generation = $4 AND first_used_at IS NULL
                """, [now.milliseconds, session.text, app.text, generation])
            pendingTokenUses.end(use)
        }
    }

    package func revoke(
        _ id: SessionID, in app: AppName, _ revocation: Revocation, notice: QueuedMessage?
    ) async throws -> Bool {
        try await revoke(id, in: app, revocation, notice: notice, as: WriteOperation(system))
    }

    func revoke(
        _ id: SessionID, in app: AppName, _ revocation: Revocation, notice: QueuedMessage? = nil,
        as operation: WriteOperation
    ) async throws -> Bool {
        let notifying = notice.map { notice in
            PostgresStatement(
                """
                INSERT INTO message (id, app, created_at, attempts, due_at, sealed)
                SELECT $1, $2, $3, $4, $3, $5 FROM session
                WHERE id = $6 AND app = $2 AND changed_by = $7::uuid AND revoked_at = $8 AND idle_ends_at > $8
                ON CONFLICT (id) DO NOTHING
                """,
                [
                    notice.id, notice.app.text, notice.createdAt.milliseconds, notice.attempts, notice.sealed, id.text,
                    operation.id, revocation.at.milliseconds,
                ])
        }
        let revoking = [
            PostgresStatement(
                """
                UPDATE session SET
                    revoked_at = $1, revoke_reason = $2, sweep_at = LEAST(sweep_at, $1), changed_by = $3::uuid
                WHERE id = $4 AND app = $5 AND revoked_at IS NULL
                """, [revocation.at.milliseconds, revocation.reason.rawValue, operation.id, id.text, app.text]),
            PostgresStatement(
                """
                SELECT idle_ends_at FROM session
                WHERE id = $1 AND app = $2 AND revoked_at IS NOT NULL AND changed_by = $3::uuid
                """, [id.text, app.text, operation.id]),
        ]
        let results = try await write(revoking + (notifying.map { [$0] } ?? []))
        return try results[1].value { try $0.date() > revocation.at } ?? false
    }

    package func noteSigningKeyIssue(of session: SessionID, in app: AppName, at now: Date) async throws -> Bool {
        try await noteSigningKeyIssue(of: session, in: app, at: now, as: WriteOperation(system))
    }

    func noteSigningKeyIssue(
        of session: SessionID, in app: AppName, at now: Date, as operation: WriteOperation
    ) async throws -> Bool {
        let results = try await write([
            PostgresStatement(
                """
                UPDATE session SET signing_key_issued_at = $1, signing_key_issued_by = $2::uuid
                WHERE id = $3 AND app = $4 AND signing_key_issued_at IS NULL AND revoked_at IS NULL
                """, [now.milliseconds, operation.id, session.text, app.text]),
            // Queried, not taken from the number of affected rows: a repetition finds what the first try recorded.
            PostgresStatement(
                "SELECT number FROM session WHERE id = $1 AND app = $2 AND signing_key_issued_by = $3::uuid",
                [session.text, app.text, operation.id]),
        ])
        return !results[1].isEmpty
    }

    package func replaceAuthentication(
        of session: SessionID, in app: AppName, from old: AuthenticationContext, to new: AuthenticationContext
    ) async throws -> Bool {
        try await replaceAuthentication(of: session, in: app, from: old, to: new, as: WriteOperation(system))
    }

    func replaceAuthentication(
        of session: SessionID, in app: AppName, from old: AuthenticationContext, to new: AuthenticationContext,
        as operation: WriteOperation
    ) async throws -> Bool {
        let results = try await write([
            PostgresStatement(
                """
                UPDATE session SET authentication = $1, authenticated_by = $2::uuid
                WHERE id = $3 AND app = $4 AND revoked_at IS NULL AND authentication = $5
                """, [new.text, operation.id, session.text, app.text, old.text]),
            // Queried, not taken from the number of affected rows: a repetition finds what the first try replaced.
            PostgresStatement(
                "SELECT number FROM session WHERE id = $1 AND app = $2 AND authenticated_by = $3::uuid",
                [session.text, app.text, operation.id]),
        ])
        return !results[1].isEmpty
    }

    package func revokeAll(
        of account: AccountID, in app: AppName, keeping: SessionID?, _ revocation: Revocation
    ) async throws -> Int {
        try await revokeAll(of: account, in: app, keeping: keeping, revocation, as: WriteOperation(system))
    }

    func revokeAll(
        of account: AccountID, in app: AppName, keeping: SessionID?, _ revocation: Revocation,
        as operation: WriteOperation
    ) async throws -> Int {
        let results = try await write([
            Self.endingSessions(of: account, in: app, keeping: keeping, revocation, operation: operation),
            PostgresStatement(
                """
                SELECT count(*) FROM session
                WHERE app = $1 AND account_id = $2 AND revoked_at = $3 AND changed_by = $4::uuid AND idle_ends_at > $3
                """, [app.text, account.text, revocation.at.milliseconds, operation.id]),
        ])
        return Int(try results[1].value { try $0.integer() } ?? 0)
    }

    package func sessions(of account: AccountID, in app: AppName, at now: Date) async throws -> [Session] {
        try await read(
            """
            SELECT \(PostgresReader.sessionColumns) FROM session s
            WHERE s.app = $1 AND s.account_id = $2 AND s.revoked_at IS NULL AND s.idle_ends_at > $3
            ORDER BY s.last_used_at DESC, s.number DESC
            LIMIT $4
            """, [app.text, account.text, now.milliseconds, Session.limitPerAccount]
        ).values { try $0.session() }
    }
}

extension PostgresReader {
    /// Reads the session's columns, the first use of its generation, and the account's columns.
    mutating func sessionState() throws -> SessionState {
        let session = try session()
        let firstUsedAt = try optionalDate()
        return SessionState(session: session, account: try account(), currentFirstUsedAt: firstUsedAt)
    }
}

/// A session that is to be read.
struct SessionCall: Hashable, Sendable {
    var id: SessionID
    var app: AppName
}
