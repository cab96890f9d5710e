package import Foundation
import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func claimEvents(
        at now: Date, until claimedUntil: Date, limit: Int, excluding full: Set<EventEndpointID>,
        apps fullApps: Set<AppName>
    ) async throws -> [ClaimedDelivery] {
        let isDue =
            try await read(
                """
                SELECT number FROM event_delivery WHERE state = 'pending' AND due_at <= $1 ORDER BY due_at, number LIMIT 1
                """, [now.milliseconds]
            ).isEmpty == false
        guard isDue, limit > 0 else { return [] }
        var examined = limit
        // Deliveries that wait for another one of their account are postponed with it, so that each round finds others.
        while true {
            let (claimed, changed) = try await claimEvents(
                at: now, until: claimedUntil, limit: limit, examining: examined, excluding: full, apps: fullApps,
                as: WriteOperation(system))
            if !claimed.isEmpty || changed < examined { return claimed }
            examined = EventWait.examined(limit: limit)
        }
    }

    /// - Parameter examined: The number of due deliveries that are read, by default `limit`. Of these at most `limit` are
    ///   claimed, and those that wait for another one are postponed.
    /// - Returns: The claimed deliveries, and the number of those that were claimed, postponed or failed.
    func claimEvents(
        at now: Date, until claimedUntil: Date, limit: Int, examining examined: Int? = nil,
        excluding full: Set<EventEndpointID> = [], apps fullApps: Set<AppName> = [], as operation: WriteOperation
    ) async throws -> (claimed: [ClaimedDelivery], changed: Int) {
        let results = try await write([
            PostgresStatement(
                """
                WITH due AS MATERIALIZED (
                    SELECT number FROM event_delivery
                    WHERE state = 'pending' AND due_at <= $1
                        -- Of unknown selectivity: with one endpoint `<> ALL` is estimated to leave nothing, and all rows are sorted.
                        AND NOT COALESCE(endpoint_id = ANY ($4::text[]), FALSE)
                        AND NOT COALESCE(app = ANY ($5::text[]), FALSE)
                    ORDER BY due_at, number LIMIT \(examined ?? limit)
                    FOR UPDATE SKIP LOCKED
                ), judged AS MATERIALIZED (
                    SELECT d.number, d.due_at,
                        EXISTS (SELECT FROM event_endpoint e WHERE e.id = d.endpoint_id AND e.state = 'enabled') AS is_open,
                        (SELECT p.due_at FROM event_delivery p
                         WHERE p.endpoint_id = d.endpoint_id AND p.order_key = d.order_key AND p.state = 'pending'
                            AND p.number < d.number ORDER BY p.number LIMIT 1) AS blocked_until
                    FROM event_delivery d WHERE d.number = ANY (ARRAY (SELECT number FROM due))
                ), ranked AS MATERIALIZED (
                    SELECT number, is_open, blocked_until,
                        row_number() OVER (PARTITION BY is_open AND blocked_until IS NULL ORDER BY due_at, number) AS rank
                    FROM judged
                )
                UPDATE event_delivery d SET
                    state = CASE WHEN is_open THEN 'pending' ELSE 'failed' END,
                    finished_at = CASE WHEN is_open THEN NULL ELSE $1 END,
                    due_at = CASE
                        WHEN blocked_until IS NULL THEN $2
                        ELSE GREATEST($1 + 1000, LEAST(blocked_until, $1 + 300000)) END,
                    claimed_by = CASE WHEN is_open AND blocked_until IS NULL THEN $3::uuid END
                FROM ranked WHERE d.number = ranked.number
                    AND (NOT is_open OR blocked_until IS NOT NULL OR rank <= \(limit))
                """,
                [
                    now.milliseconds, claimedUntil.milliseconds, operation.id, full.map(\.text), fullApps.map(\.text),
                ]),
            PostgresStatement(
                """
                SELECT \(PostgresReader.claimedDeliveryColumns)
                FROM event_delivery d JOIN account_event v ON v.number = d.event
                    JOIN event_endpoint e ON e.id = d.endpoint_id
                WHERE d.claimed_by = $1::uuid AND d.state = 'pending' ORDER BY d.number
                """, [operation.id]),
        ])
        return (try results[1].values { try $0.claimedDelivery() }, results[0].affected)
    }

    package func finish(
        _ delivery: EventDelivery, attempts: [EventDelivery.Attempt], _ outcome: EventAttemptOutcome, at now: Date
    ) async throws {
        let (state, due, end) = outcome.columns(at: now)
        var statements = [
            PostgresStatement(
                """
                UPDATE event_delivery SET attempts = $2, state = $3, due_at = $4, finished_at = $5, claimed_by = NULL
                WHERE number = $1 AND state = 'pending'
                """, [delivery.id, try attempts.columnText(), state, due, end])
        ]
        if end != nil {
            // Makes the account's next delivery due.
            statements.append(
                PostgresStatement(
                    """
                    UPDATE event_delivery SET due_at = 0 WHERE number = (
                        SELECT n.number FROM event_delivery d JOIN event_delivery n
                            ON n.endpoint_id = d.endpoint_id AND n.order_key = d.order_key AND n.state = 'pending'
                        WHERE d.number = $1 AND n.number > $1 ORDER BY n.number LIMIT 1) AND claimed_by IS NULL
                    """, [delivery.id]))
        }
        statements.append(Self.notingHealth(of: delivery, outcome, at: now))
        try await write(statements)
    }

    package func release(_ delivery: EventDelivery) async throws {
        try await write(
            "UPDATE event_delivery SET due_at = 0, claimed_by = NULL WHERE number = $1 AND state = 'pending'",
            [delivery.id])
    }

    /// Changes nothing if another worker's outcome of the delivery came first.
    private static func notingHealth(
        of delivery: EventDelivery, _ outcome: EventAttemptOutcome, at now: Date
    ) -> PostgresStatement {
        let state = outcome.columns(at: now).state
        let isOutcome = "EXISTS (SELECT FROM event_delivery WHERE number = $3 AND state = '\(state)')"
        guard outcome == .delivered else {
            return PostgresStatement(
                "UPDATE event_endpoint SET failing_since = $2 WHERE id = $1 AND failing_since IS NULL AND \(isOutcome)",
                [delivery.endpoint.text, now.milliseconds, delivery.id])
        }
        return PostgresStatement(
            """
            UPDATE event_endpoint SET last_success_at = $2, failing_since = NULL
            WHERE id = $1 AND \(isOutcome)
                AND (failing_since IS NOT NULL OR last_success_at IS NULL OR last_success_at < $4)
            """,
            [
                delivery.endpoint.text, now.milliseconds, delivery.id,
                now.addingTimeInterval(-EventEndpoint.successResolutionSeconds).milliseconds,
            ])
    }

    /// Records the event of a refused sign-in, if the account had none within the last minute.
    static func recording(_ refusal: AuditEvent, id: String) throws -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO account_event (id, app, type, account_id, session_id, snapshot, details, created_at)
            SELECT $1, a.app, 'sign_in.refused', a.id, $4, event_snapshot(a), $5, \(PostgresSchema.now)
            FROM account a
            WHERE a.app = $2 AND a.id = $3 AND event_is_wanted(a.app, 'sign_in.refused') AND NOT EXISTS (
                SELECT FROM account_event
                WHERE app = $2 AND account_id = $3 AND type = 'sign_in.refused'
                    AND created_at > \(PostgresSchema.now) - $6)
            """,
            [
                id, refusal.app.text, refusal.account?.text, refusal.session?.text,
                try EventDetails(operation: refusal.action, code: refusal.outcome).columnText(),
                EventType.refusalSeconds * 1000,
            ])
    }
}
