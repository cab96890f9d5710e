package import Foundation
import GRDB
package import OstiaryCore
package import OstiaryEngine

extension SQLiteStore {
    package func add(
        _ session: Session, credentialVersion: Int, attachment: [UInt8]?, keeping limit: Int
    ) async throws -> Bool {
        try await open(
            SessionOpening(
                session: session, credentialVersion: credentialVersion, attachment: attachment, keeping: limit))
    }

    package func open(_ opening: SessionOpening) async throws -> Bool {
        let now = system.now()
        return try await write { db in
            if let proof = opening.proof { try db.insert(proof, at: now) }
            let session = opening.session
            guard
                try db.add(
                    session, credentialVersion: opening.credentialVersion, attachment: opening.attachment)
            else { return false }
            if let key = opening.appKey { try db.bind(session.id, toAppKey: key, in: session.app) }
            if let renewal = opening.renewal {
                guard try db.replace(renewal.hash, by: renewal.device) else { throw StoreRefusal.overtaken }
            }
            // An administrator who acts for the account ends none of its sessions.
            guard session.actor == nil else { return true }
            try db.endOldestSessions(
                of: session.accountID, in: session.app, keeping: opening.limit,
                Revocation(reason: .tooManySessions, at: session.createdAt))
            return true
        }
    }

    package func session(_ id: SessionID, in app: AppName) async throws -> SessionState? {
        if let state = cache.state(of: id) { return state.session.app == app ? state : nil }
        let moment = cache.moment
        guard let entry = try await read({ try $0.sessionEntry(id, in: app) }) else { return nil }
        cache.keep(entry, readAt: moment)
        return entry.state
    }

    package func noteUse(of generation: Int, in session: SessionID, app: AppName, at now: Date) {
        // Until the use is recorded, every request of the session asks for it again.
        let use = PendingTokenUses.Use(session: session, generation: generation)
        guard pendingTokenUses.begin(use) else { return }
        writer.writeLater { db in
            // Every generation before the current one was recorded at its rotation.
            try db.run(
                """
                UPDATE session SET first_used_at = ?1
                WHERE id = ?2 AND app = ?3 AND generation = ?4 AND first_used_at IS NULL
                """, [now.milliseconds, session.text, app.text, generation])
        } finished: { [pendingTokenUses] in
            pendingTokenUses.end(use)
        }
    }

    package func revoke(
        _ id: SessionID, in app: AppName, _ revocation: Revocation, notice: QueuedMessage?
    ) async throws -> Bool {
        try await write { db in
            let hasEnded = try db.rows(
                """
                UPDATE session SET revoked_at = ?1, revoke_reason = ?2
                WHERE id = ?3 AND app = ?4 AND revoked_at IS NULL
                RETURNING idle_ends_at
                """, [revocation.at.milliseconds, revocation.reason.rawValue, id.text, app.text],
                read: { try $0.date() }
            ).contains { $0 > revocation.at }
            if hasEnded, let notice { try db.enqueue(notice) }
            return hasEnded
        }
    }

    package func noteSigningKeyIssue(of session: SessionID, in app: AppName, at now: Date) async throws -> Bool {
        try await write { db in
            try db.run(
                """
                UPDATE session SET signing_key_issued_at = ?1
                WHERE id = ?2 AND app = ?3 AND signing_key_issued_at IS NULL AND revoked_at IS NULL
                """, [now.milliseconds, session.text, app.text]) == 1
        }
    }

    package func replaceAuthentication(
        of session: SessionID, in app: AppName, from old: AuthenticationContext, to new: AuthenticationContext
    ) async throws -> Bool {
        try await write { db in
            try db.run(
                """
                UPDATE session SET authentication = ?1
                WHERE id = ?2 AND app = ?3 AND revoked_at IS NULL AND authentication = ?4
                """, [new.text, session.text, app.text, old.text]) == 1
        }
    }

    package func revokeAll(
        of account: AccountID, in app: AppName, keeping: SessionID?, _ revocation: Revocation
    ) async throws -> Int {
        try await write { try $0.endSessions(of: account, in: app, keeping: keeping, revocation) }
    }

    package func sessions(of account: AccountID, in app: AppName, at now: Date) async throws -> [Session] {
        try await read { db in
            try db.rows(
                """
                SELECT \(RowReader.sessionColumns) FROM session s
                WHERE s.app = ?1 AND s.account_id = ?2 AND s.revoked_at IS NULL AND s.idle_ends_at > ?3
                ORDER BY s.last_used_at DESC, s.number DESC
                LIMIT ?4
                """, [app.text, account.text, now.milliseconds, Session.limitPerAccount], read: { try $0.session() })
        }
    }
}

extension Database {
    /// Revokes every session of an account except one. Expired ones are marked too, so that a clock set back does not
    /// make them valid again, and are not counted.
    @discardableResult
    func endSessions(
        of account: AccountID, in app: AppName, keeping: SessionID?, _ revocation: Revocation
    ) throws -> Int {
        try rows(
            """
            UPDATE session SET revoked_at = ?1, revoke_reason = ?2
            WHERE app = ?3 AND account_id = ?4 AND id <> ?5 AND revoked_at IS NULL
            RETURNING idle_ends_at
            """,
            [
                revocation.at.milliseconds, revocation.reason.rawValue, app.text, account.text, keeping?.text ?? "",
            ], read: { try $0.date() }
        ).count { $0 > revocation.at }
    }

    /// Revokes every session in which an administrator acts.
    func endSessions(actingFor actor: String, _ revocation: Revocation) throws {
        try run(
            "UPDATE session SET revoked_at = ?1, revoke_reason = ?2 WHERE actor = ?3 AND revoked_at IS NULL",
            [revocation.at.milliseconds, revocation.reason.rawValue, actor])
    }

    /// Revokes every session in which an administrator acts for an account.
    func endImpersonations(of account: AccountID, in app: AppName, _ revocation: Revocation) throws {
        try run(
            """
            UPDATE session SET revoked_at = ?1, revoke_reason = ?2
            WHERE app = ?3 AND account_id = ?4 AND actor IS NOT NULL AND revoked_at IS NULL
            """, [revocation.at.milliseconds, revocation.reason.rawValue, app.text, account.text])
    }

    /// Revokes an account's sessions beyond `count`, of those that are not revoked and in which no administrator acts: expired ones
    /// first, then the oldest.
    func endOldestSessions(
        of account: AccountID, in app: AppName, keeping count: Int, _ revocation: Revocation
    ) throws {
        try run(
            Self.endingOldestSessions,
            [revocation.at.milliseconds, revocation.reason.rawValue, app.text, account.text, count])
    }

    /// The statement of ``endOldestSessions(of:in:keeping:_:)``.
    static let endingOldestSessions = """
        UPDATE session SET revoked_at = ?1, revoke_reason = ?2
        WHERE number IN (
            SELECT number FROM session
            WHERE app = ?3 AND account_id = ?4 AND revoked_at IS NULL AND actor IS NULL
            ORDER BY idle_ends_at > ?1 DESC, number DESC LIMIT -1 OFFSET ?5)
        """
}

extension Database {
    /// Adds a session, if the account is active and has that credential version, and counts the account as active.
    ///
    /// - Returns: `true` if it was added.
    func add(_ session: Session, credentialVersion: Int, attachment: [UInt8]?) throws -> Bool {
        let isAdded =
            try run(
                """
                INSERT INTO session (
                    id, app, account_id, created_at, last_used_at, idle_seconds, idle_ends_at, ends_at, generation,
                    generation_issued_at, device_id, platform, os_version, app_version, address, user_agent,
                    authentication, actor, bound_key)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?19, ?20
                FROM account WHERE app = ?2 AND id = ?3 AND is_active AND credential_version = ?18
                """,
                [
                    session.id.text, session.app.text, session.accountID.text, session.createdAt.milliseconds,
                    session.lastUsedAt.milliseconds, session.idleSeconds, session.idleEndsAt.milliseconds,
                    session.endsAt.milliseconds, session.generation, session.generationIssuedAt.milliseconds,
                    session.device?.deviceID, session.device?.platform, session.device?.osVersion,
                    session.device?.appVersion, session.address, session.userAgent, session.authentication.text,
                    credentialVersion, session.actor, session.boundKey,
                ]) == 1
        guard isAdded else { return false }
        if let attachment {
            try run(
                "INSERT INTO session_attachment (session, bytes, version) VALUES (?1, ?2, 0)",
                [lastInsertedRowID, Data(attachment)])
        }
        // An administrator who acts for the account opens no session.
        if session.actor == nil {
            try noteActivity(of: session.accountID, in: session.app, at: session.createdAt, isSignIn: true)
        }
        return true
    }
}
