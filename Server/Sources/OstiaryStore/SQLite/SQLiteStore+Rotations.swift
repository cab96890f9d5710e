package import Foundation
import GRDB
package import OstiaryCore
package import OstiaryEngine

extension SQLiteStore {
    package func rotate(
        _ id: SessionID, in app: AppName, from generation: Int, at now: Date, address: String?,
        forgettingBefore horizon: Date
    ) async throws -> Rotation {
        let moment = cache.moment
        let (rotation, entry) = try await write { [cache] db -> (Rotation, SessionCache.Entry?) in
            guard let entry = try db.sessionEntry(id, in: app, reusing: cache) else { return (.unknown, nil) }
            let rotated = try db.run(
                """
                UPDATE session SET
                    generation = generation + 1,
                    generation_issued_at = ?1,
                    last_used_at = ?1,
                    idle_ends_at = CASE
                        WHEN ?1 + idle_seconds * 1000 < ends_at THEN ?1 + idle_seconds * 1000 ELSE ends_at END,
                    first_used_at = NULL,
                    address = ?2
                WHERE number = ?3 AND generation = ?4 AND revoked_at IS NULL AND idle_ends_at > ?1 AND ends_at > ?1
                    AND EXISTS (
                        SELECT 1 FROM account
                        WHERE account.app = session.app AND account.id = session.account_id AND account.is_active)
                """, [now.milliseconds, address, entry.session, generation])
            guard rotated == 1 else { return (try db.refusal(of: generation, entry, at: now), nil) }
            try db.noteRotation(of: generation, entry, at: now, forgettingBefore: horizon)
            let session = entry.state.session
            if CalendarDay(containing: session.lastUsedAt) < CalendarDay(containing: now) {
                try db.noteActivity(of: session.accountID, in: app, at: now)
            }
            return (.rotated(entry.state.rotated(at: now.asStored, address: address)), entry)
        }
        // This rotation supersedes the cached state; its account spares the next rotation a read.
        if let entry { cache.keep(entry, readAt: moment) }
        return rotation
    }
}

extension Database {
    /// Records the first use of a generation, if it can still matter: presenting a refresh token is a use of it, and only
    /// the first record counts.
    fileprivate func noteRotation(
        of generation: Int, _ entry: SessionCache.Entry, at now: Date, forgettingBefore horizon: Date
    ) throws {
        if Session.forgetsFirstUses(rotatingFrom: generation) {
            try run(
                "DELETE FROM generation_use WHERE session = ?1 AND first_used_at < ?2",
                [entry.session, horizon.milliseconds])
        }
        let firstUse = (entry.state.currentFirstUsedAt ?? now).milliseconds
        guard firstUse >= horizon.milliseconds else { return }
        try run(
            "INSERT INTO generation_use (session, generation, first_used_at) VALUES (?1, ?2, ?3)",
            [entry.session, generation, firstUse])
    }

    fileprivate func refusal(of generation: Int, _ entry: SessionCache.Entry, at now: Date) throws -> Rotation {
        let state = entry.state
        guard (0...state.session.generation).contains(generation) else { return .unknown }
        guard generation < state.session.generation, state.isAlive(at: now) else { return .ended(state) }
        guard generation >= state.session.oldestGeneration else { return .withdrawn(state) }
        let successor = generation + 1
        if successor == state.session.generation {
            return .superseded(state, successorFirstUsedAt: state.currentFirstUsedAt)
        }
        // The use was recorded at the rotation; where there is no record, it has expired.
        let firstUsedAt = try row(
            "SELECT first_used_at FROM generation_use WHERE session = ?1 AND generation = ?2",
            [entry.session, successor], read: { try $0.date() })
        return .superseded(state, successorFirstUsedAt: firstUsedAt ?? .distantPast)
    }
}

extension Database {
    /// Withdraws the refresh tokens of a session that continues after a change of password: the earlier ones, and with
    /// `isRenewed` the current one, whose successor is in the answer.
    func withdrawRefreshTokens(of id: SessionID, in app: AppName, isRenewed: Bool, at now: Date) throws {
        guard isRenewed else {
            try run(
                "UPDATE session SET oldest_generation = generation WHERE id = ?1 AND app = ?2 AND revoked_at IS NULL",
                [id.text, app.text])
            return
        }
        try run(
            """
            UPDATE session SET
                generation = generation + 1,
                oldest_generation = generation + 1,
                generation_issued_at = ?1,
                last_used_at = ?1,
                idle_ends_at = CASE
                    WHEN ?1 + idle_seconds * 1000 < ends_at THEN ?1 + idle_seconds * 1000 ELSE ends_at END,
                first_used_at = NULL
            WHERE id = ?2 AND app = ?3 AND revoked_at IS NULL AND idle_ends_at > ?1
            """, [now.milliseconds, id.text, app.text])
    }
}

extension SessionState {
    /// Returns the row's state after the rotation, without reading it again.
    fileprivate func rotated(at now: Date, address: String?) -> SessionState {
        var state = self
        state.session.generation += 1
        state.session.generationIssuedAt = now
        state.session.lastUsedAt = now
        state.session.idleEndsAt = min(
            now.addingTimeInterval(Double(session.idleSeconds)).asStored, session.endsAt)
        state.session.address = address
        state.currentFirstUsedAt = nil
        return state
    }
}
