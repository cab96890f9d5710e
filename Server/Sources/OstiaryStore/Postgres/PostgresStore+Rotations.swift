package import Foundation
package import OstiaryCore
package import OstiaryEngine

extension PostgresStore {
    package func rotate(
        _ id: SessionID, in app: AppName, from generation: Int, at now: Date, address: String?,
        forgettingBefore horizon: Date?
    ) async throws -> Rotation {
        try await rotate(
            id, in: app, from: generation, at: now, address: address, forgettingBefore: horizon,
            as: WriteOperation(system))
    }

    func rotate(
        _ id: SessionID, in app: AppName, from generation: Int, at now: Date, address: String?,
        forgettingBefore horizon: Date?, as operation: WriteOperation
    ) async throws -> Rotation {
        // Of two nodes the later waits for the row and then checks the generation again.
        let rotated = try await write(
            """
            WITH rotated AS (
                UPDATE session SET
                    generation = generation + 1,
                    generation_issued_at = $4,
                    last_used_at = $4,
                    previous_used_at = last_used_at,
                    idle_ends_at = LEAST($4 + idle_seconds * 1000, ends_at),
                    previous_first_used_at = COALESCE(first_used_at, $4),
                    first_used_at = NULL,
                    address = $5,
                    changed_by = $6::uuid
                WHERE id = $1 AND app = $2 AND generation = $3
                    AND revoked_at IS NULL AND idle_ends_at > $4 AND ends_at > $4
                    AND EXISTS (
                        SELECT FROM account
                        WHERE account.app = session.app AND account.id = session.account_id AND account.is_active)
                RETURNING *
            ), noted AS (
                INSERT INTO generation_use (session, generation, first_used_at)
                SELECT number, generation - 1, previous_first_used_at FROM rotated
                ON CONFLICT (session, generation) DO NOTHING
            ), active AS (
                \(Self.notingActive(of: "SELECT app, account_id, $7 FROM rotated WHERE previous_used_at < $7 * 86400000"))
            ), counted AS (
                \(Self.countingActive(day: "$7", week: "$8", month: "$9", slot: "$10"))
            )\(horizon == nil ? "" : Self.forgettingUses(before: "$11"))
            SELECT \(PostgresReader.sessionColumns), s.first_used_at, \(PostgresReader.accountColumns)
            FROM rotated s JOIN account a ON a.app = s.app AND a.id = s.account_id
            """,
            [
                id.text, app.text, generation, now.milliseconds, address.keepable, operation.id,
            ] + ActivityDays(at: now).parameters(slot: Self.slot(of: id.text))
                + [horizon?.milliseconds].compactMap(\.self)
        ).value { try $0.sessionState() }
        if let rotated { return .rotated(rotated) }
        return try await refusal(of: generation, id, in: app, at: now, as: operation)
    }

    private static func forgettingUses(before horizon: String) -> String {
        """
        , forgotten AS (
            DELETE FROM generation_use
            WHERE session = (SELECT number FROM rotated) AND first_used_at < \(horizon)
        )
        """
    }

    /// Returns the reason that there was no rotation; or the rotation, if it was done and its answer lost.
    private func refusal(
        of generation: Int, _ id: SessionID, in app: AppName, at now: Date, as operation: WriteOperation
    ) async throws -> Rotation {
        let found = try await read(
            """
            SELECT \(PostgresReader.sessionColumns), s.first_used_at, \(PostgresReader.accountColumns),
                s.changed_by IS NOT DISTINCT FROM $4::uuid, u.first_used_at
            FROM session s JOIN account a ON a.app = s.app AND a.id = s.account_id
                LEFT JOIN generation_use u ON u.session = s.number AND u.generation = $3 + 1
            WHERE s.id = $1 AND s.app = $2
            """, [id.text, app.text, generation, operation.id]
        ).value { row in
            (state: try row.sessionState(), isOurs: try row.bool(), successorFirstUsedAt: try row.optionalDate())
        }
        guard let found else { return .unknown }
        let state = found.state
        guard (0...state.session.generation).contains(generation) else { return .unknown }
        guard generation < state.session.generation, state.isAlive(at: now) else { return .ended(state) }
        guard generation >= state.session.oldestGeneration else { return .withdrawn(state) }
        if generation + 1 == state.session.generation {
            return found.isOurs
                ? .rotated(state) : .superseded(state, successorFirstUsedAt: state.currentFirstUsedAt)
        }
        // The use was recorded at the rotation; where the record is gone, it has expired.
        return .superseded(state, successorFirstUsedAt: found.successorFirstUsedAt ?? .distantPast)
    }
}
