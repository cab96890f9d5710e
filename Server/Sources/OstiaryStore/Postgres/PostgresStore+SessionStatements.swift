import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryPostgres

/// Statements about sessions that are parts of larger transactions.
extension PostgresStore {
    /// Adds a session, if the account is active and has that credential version.
    static func adding(_ session: Session, credentialVersion: Int) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO session (
                id, app, account_id, created_at, last_used_at, idle_seconds, idle_ends_at, ends_at, generation,
                generation_issued_at, device_id, platform, os_version, app_version, address, user_agent, sweep_at,
                authentication, actor, bound_key)
            SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $7, $17, $19, $20
            FROM account WHERE app = $2 AND id = $3 AND is_active AND credential_version = $18
            FOR SHARE
            ON CONFLICT (id) DO NOTHING
            """,
            [
                session.id.text, session.app.text, session.accountID.text, session.createdAt.milliseconds,
                session.lastUsedAt.milliseconds, session.idleSeconds, session.idleEndsAt.milliseconds,
                session.endsAt.milliseconds, session.generation, session.generationIssuedAt.milliseconds,
                session.device?.deviceID.keepable, session.device?.platform.keepable,
                session.device?.osVersion.keepable, session.device?.appVersion.keepable, session.address.keepable,
                session.userAgent.keepable, session.authentication.text, credentialVersion,
                session.actor, session.boundKey,
            ])
    }

    /// Adds a session with the bytes that are kept with it.
    static func adding(_ session: Session, credentialVersion: Int, attachment: [UInt8]?) -> [PostgresStatement] {
        let adding = adding(session, credentialVersion: credentialVersion)
        guard let attachment else { return [adding] }
        return [
            adding,
            PostgresStatement(
                """
                INSERT INTO session_attachment (session, bytes, version)
                SELECT number, $4, 0 FROM session WHERE id = $1 AND app = $2 AND account_id = $3
                ON CONFLICT (session) DO NOTHING
                """, [session.id.text, session.app.text, session.accountID.text, attachment]),
        ]
    }

    /// Revokes every session of an account except one. Expired ones are marked too, so that a clock set back does not
    /// make them valid again.
    ///
    /// In a transaction that changes the account it must follow that change: it then also sees the session of a sign-in
    /// that the change waited for.
    static func endingSessions(
        of account: AccountID, in app: AppName, keeping: SessionID?, _ revocation: Revocation,
        operation: WriteOperation? = nil
    ) -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE session SET
                revoked_at = $1, revoke_reason = $2, sweep_at = LEAST(sweep_at, $1), changed_by = $6::uuid
            FROM (
                SELECT number FROM session
                WHERE app = $3 AND account_id = $4 AND id <> $5 AND revoked_at IS NULL
                ORDER BY number FOR NO KEY UPDATE
            ) AS locked
            WHERE session.number = locked.number
            """,
            [
                revocation.at.milliseconds, revocation.reason.rawValue, app.text, account.text, keeping?.text ?? "",
                operation?.id,
            ])
    }

    /// Revokes every session in which an administrator acts. Must follow the revocation of the administrator's service key in
    /// the same transaction.
    static func endingSessions(actingFor actor: String, _ revocation: Revocation) -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE session SET
                revoked_at = $1, revoke_reason = $2, sweep_at = LEAST(sweep_at, $1), changed_by = NULL
            FROM (
                SELECT number FROM session WHERE actor = $3 AND revoked_at IS NULL ORDER BY number FOR NO KEY UPDATE
            ) AS locked
            WHERE session.number = locked.number
            """, [revocation.at.milliseconds, revocation.reason.rawValue, actor])
    }

    /// Revokes every session in which an administrator acts for an account.
    ///
    /// In a transaction that changes the account it must follow that change, as
    /// ``endingSessions(of:in:keeping:_:operation:)`` must.
    static func endingImpersonations(
        of account: AccountID, in app: AppName, _ revocation: Revocation
    ) -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE session SET
                revoked_at = $1, revoke_reason = $2, sweep_at = LEAST(sweep_at, $1), changed_by = NULL
            FROM (
                SELECT number FROM session
                WHERE app = $3 AND account_id = $4 AND actor IS NOT NULL AND revoked_at IS NULL
                ORDER BY number FOR NO KEY UPDATE
            ) AS locked
            WHERE session.number = locked.number
            """, [revocation.at.milliseconds, revocation.reason.rawValue, app.text, account.text])
    }

    /// Locks the service key that acts in a session until the commit: a revocation of the key at another node waits, and then
    /// finds the session, or has been committed before.
    static func lockingActor(of session: Session) -> [PostgresStatement] {
        let prefix = "key:"
        guard let actor = session.actor, actor.utf8.starts(with: prefix.utf8) else { return [] }
        return [
            PostgresStatement(
                "SELECT 1 FROM service_key WHERE id = $1 FOR SHARE", [String(actor.dropFirst(prefix.count))])
        ]
    }

    /// Replaces the authentication of one session of an account and revokes the others; revokes all where `continuing`
    /// is nil.
    ///
    /// Locks the rows in the order in which ``endingSessions(of:in:keeping:_:operation:)`` locks them.
    static func endingSessions(
        of account: AccountID, in app: AppName, continuing: SessionID?, with authentication: AuthenticationContext,
        _ revocation: Revocation
    ) -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE session SET
                authentication = CASE WHEN id = $5 THEN $6 ELSE authentication END,
                revoked_at = CASE WHEN id <> $5 THEN $1 END,
                revoke_reason = CASE WHEN id <> $5 THEN $2 END,
                sweep_at = CASE WHEN id = $5 THEN sweep_at ELSE LEAST(sweep_at, $1) END,
                changed_by = CASE WHEN id = $5 THEN changed_by END
            FROM (
                SELECT number FROM session WHERE app = $3 AND account_id = $4 AND revoked_at IS NULL
                ORDER BY number FOR NO KEY UPDATE
            ) AS locked
            WHERE session.number = locked.number
            """,
            [
                revocation.at.milliseconds, revocation.reason.rawValue, app.text, account.text, continuing?.text ?? "",
                authentication.text,
            ])
    }

    /// Withdraws the refresh tokens of a session that continues after a change of password: the earlier ones, and with
    /// `isRenewed` the current one, whose successor is in the answer.
    static func withdrawingRefreshTokens(
        of id: SessionID, in app: AppName, isRenewed: Bool, at now: Date, operation: WriteOperation
    ) -> PostgresStatement {
        guard isRenewed else {
            return PostgresStatement(
                "UPDATE session SET oldest_generation = generation WHERE id = $1 AND app = $2 AND revoked_at IS NULL",
                [id.text, app.text])
        }
        return PostgresStatement(
            """
            UPDATE session SET
                generation = generation + 1,
                oldest_generation = generation + 1,
                generation_issued_at = $1,
                last_used_at = $1,
                idle_ends_at = LEAST($1 + idle_seconds * 1000, ends_at),
                first_used_at = NULL,
                changed_by = $4::uuid
            WHERE id = $2 AND app = $3 AND revoked_at IS NULL AND idle_ends_at > $1
            """, [now.milliseconds, id.text, app.text, operation.id])
    }

    /// Revokes an account's sessions beyond `count`, of those that are not revoked and in which no administrator acts: expired ones
    /// first, then the oldest.
    ///
    /// The numbers are an array, because PostgreSQL may join a subquery with a scan of the whole table.
    static func endingOldestSessions(
        of account: AccountID, in app: AppName, keeping count: Int, _ revocation: Revocation
    ) -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE session SET
                revoked_at = $1, revoke_reason = $2, sweep_at = LEAST(sweep_at, $1), changed_by = NULL
            FROM (
                SELECT number FROM session
                WHERE revoked_at IS NULL AND number = ANY (ARRAY (
                    SELECT number FROM session
                    WHERE app = $3 AND account_id = $4 AND revoked_at IS NULL AND actor IS NULL
                    ORDER BY idle_ends_at > $1 DESC, number DESC OFFSET $5))
                ORDER BY number FOR NO KEY UPDATE
            ) AS locked
            WHERE session.number = locked.number
            """, [revocation.at.milliseconds, revocation.reason.rawValue, app.text, account.text, count])
    }
}
