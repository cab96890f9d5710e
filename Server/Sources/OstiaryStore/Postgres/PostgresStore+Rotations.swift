package import Foundation
package import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func rotate(
        _ id: SessionID, in app: AppName, from generation: Int, at now: Date, address: String?,
        forgettingBefore horizon: Date
    ) async throws -> Rotation {
        let call = RotationCall(
            operation: WriteOperation(system), id: id, app: app, generation: generation, at: now, address: address,
            horizon: horizon)
        let rotated = try await Self.measuring(#function) {
            try await rotations.answer(to: call) { [self] in try await rotate($0, waitingForLocks: false) }
        }
        if let rotated { return .rotated(try rotated.get()) }
        return try await rotate(call)
    }

    /// Rotates a session by itself, or returns the reason that it cannot be.
    func rotate(_ call: RotationCall) async throws -> Rotation {
        let rotated = try await Self.measuring(#function) { try await rotate([call], waitingForLocks: true)(call) }
        if let rotated { return .rotated(try rotated.get()) }
        return try await refusal(of: call)
    }

    /// Rotates the sessions of several calls by one statement, except those that cannot be.
    ///
    /// - Parameter waitsForLocks: `false` to skip sessions that another transaction changes, so that no call of a group
    ///   waits because of another.
    func rotate(
        _ calls: [RotationCall], waitingForLocks waitsForLocks: Bool
    ) async throws -> @Sendable (RotationCall) -> Result<SessionState, any Error>? {
        guard let first = calls.first else { return { _ in nil } }
        let days = ActivityDays(at: first.at)
        // Around midnight, those of the other day rotate by themselves.
        let calls = calls.filter { ActivityDays(at: $0.at).day == days.day }
        let rows = try await Self.translating {
            try await commitDurations.measure {
                try await pool.write(
                    Self.rotating(waitingForLocks: waitsForLocks),
                    [
                        calls.map(\.id.text), calls.map(\.app.text), calls.map { Int64($0.generation) },
                        calls.map(\.at.milliseconds), calls.map(\.address.keepable), calls.map(\.operation.id),
                        calls.map(\.horizon.milliseconds), calls.map(\.forgettingBefore?.milliseconds),
                    ] + days.parameters(slot: Self.slot(of: first.id.text)))
            }
        }
        let found = try rows.values { row in (try row.text(), Result { try row.sessionState() }) }
        let states = Dictionary(found) { first, _ in first }
        return { states[$0.operation.id] }
    }

    /// Of two nodes the later waits for the row and then checks the generation again.
    private static func rotating(waitingForLocks waitsForLocks: Bool) -> String {
        """
        WITH free AS MATERIALIZED (
            SELECT number FROM session WHERE id = ANY ($1) ORDER BY number
            FOR NO KEY UPDATE \(waitsForLocks ? "" : "SKIP LOCKED")
        ), rotated AS (
            UPDATE session SET
                generation = session.generation + 1,
                generation_issued_at = asked.at,
                last_used_at = asked.at,
                previous_used_at = last_used_at,
                idle_ends_at = LEAST(asked.at + idle_seconds * 1000, ends_at),
                previous_first_used_at = COALESCE(first_used_at, asked.at),
                first_used_at = NULL,
                address = asked.address,
                changed_by = asked.operation::uuid
            FROM unnest($1, $2, $3, $4, $5, $6, $7, $8)
                AS asked (id, app, generation, at, address, operation, horizon, forgetting_before)
            WHERE number = ANY (ARRAY (SELECT number FROM free))
                AND session.id = asked.id AND session.app = asked.app AND session.generation = asked.generation
                AND revoked_at IS NULL AND idle_ends_at > asked.at AND ends_at > asked.at
                AND EXISTS (
                    SELECT FROM account
                    WHERE account.app = session.app AND account.id = session.account_id AND account.is_active)
            RETURNING session.*, asked.operation, asked.horizon, asked.forgetting_before
        ), noted AS (
            INSERT INTO generation_use (session, generation, first_used_at)
            SELECT number, generation - 1, previous_first_used_at FROM rotated WHERE previous_first_used_at >= horizon
            ON CONFLICT (session, generation) DO NOTHING
        ), forgotten AS (
            DELETE FROM generation_use AS used USING rotated
            WHERE forgetting_before IS NOT NULL AND used.session = rotated.number
                AND used.first_used_at < forgetting_before
        ), active AS (
            \(notingActive(
                of: """
                    SELECT DISTINCT app, account_id, $9 FROM rotated
                    WHERE previous_used_at < $9 * 86400000 ORDER BY app, account_id
                    """))
        ), counted AS (
            \(countingActive(day: "$9", week: "$10", month: "$11", slot: "$12"))
        )
        SELECT s.operation, \(PostgresReader.sessionColumns), s.first_used_at, \(PostgresReader.accountColumns)
        FROM rotated s JOIN account a ON a.app = s.app AND a.id = s.account_id
        """
    }

    /// Returns the reason that there was no rotation; or the rotation, if it was done and its answer lost.
    private func refusal(of call: RotationCall) async throws -> Rotation {
        let generation = call.generation
        let found = try await read(
            """
            SELECT \(PostgresReader.sessionColumns), s.first_used_at, \(PostgresReader.accountColumns),
                s.changed_by IS NOT DISTINCT FROM $4::uuid, u.first_used_at
            FROM session s JOIN account a ON a.app = s.app AND a.id = s.account_id
                LEFT JOIN generation_use u ON u.session = s.number AND u.generation = $3 + 1
            WHERE s.id = $1 AND s.app = $2
            """, [call.id.text, call.app.text, generation, call.operation.id]
        ).value { row in
            (state: try row.sessionState(), isOurs: try row.bool(), successorFirstUsedAt: try row.optionalDate())
        }
        guard let found else { return .unknown }
        let state = found.state
        guard (0...state.session.generation).contains(generation) else { return .unknown }
        guard generation < state.session.generation, state.isAlive(at: call.at) else { return .ended(state) }
        guard generation >= state.session.oldestGeneration else { return .withdrawn(state) }
        if generation + 1 == state.session.generation {
            return found.isOurs
                ? .rotated(state) : .superseded(state, successorFirstUsedAt: state.currentFirstUsedAt)
        }
        // The use was recorded at the rotation; where there is no record, it has expired.
        return .superseded(state, successorFirstUsedAt: found.successorFirstUsedAt ?? .distantPast)
    }
}

/// A session that is to be rotated.
struct RotationCall: Sendable {
    var operation: WriteOperation
    var id: SessionID
    var app: AppName
    var generation: Int
    var at: Date
    var address: String?
    /// First uses before this are not recorded.
    var horizon: Date
    /// Records of first use before this are deleted; nil to keep them.
    var forgettingBefore: Date? { Session.forgetsFirstUses(rotatingFrom: generation) ? horizon : nil }
}
