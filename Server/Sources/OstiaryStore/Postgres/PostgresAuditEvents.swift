public import Foundation
import OstiaryCore
public import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    public func append(_ event: AuditEvent) async throws {
        try await append(event, as: WriteOperation(surroundings))
    }

    /// Numbers the event so that whoever follows by number misses none, though transactions commit in another order.
    ///
    /// A transaction has its id before it draws its number, and sees the next id to be given away (`settled_by`) after.
    /// So every event with a lower number is of a transaction with an id below `settled_by`: once all of those have ended,
    /// nothing can appear before this event any more. No lock is needed, which every append would wait for.
    func append(_ event: AuditEvent, as operation: WriteOperation) async throws {
        try await write([
            // A condition is evaluated before what is selected.
            PostgresStatement("SELECT nextval('audit_event_number_seq') WHERE pg_current_xact_id() IS NOT NULL"),
            PostgresStatement(
                """
                INSERT INTO audit_event (
                    number, happened_at, app, action, outcome, account_id, session_id, identifier, address, user_agent,
                    operation, settled_by)
                VALUES (
                    currval('audit_event_number_seq'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10::uuid,
                    pg_snapshot_xmax(pg_current_snapshot()))
                ON CONFLICT (happened_at, operation) DO NOTHING
                """,
                [
                    event.at.milliseconds, event.app.text, event.action.keepable, event.outcome.keepable,
                    event.account?.text, event.session?.text, event.identifier.keepable, event.address.keepable,
                    event.userAgent.keepable, operation.id,
                ]),
        ])
    }

    /// An event shows once every transaction of the server that was under way when it was added has ended.
    ///
    /// `since` is looked for by time, an hour early: events of a node whose clock was off by more may be missed by it.
    public func events(
        in app: AppName?, since: Date?, after position: Int?, limit: Int
    ) async throws -> [(position: Int, event: AuditEvent)] {
        let start = try await start(since: since, after: position)
        return try await read(
            """
            SELECT number, happened_at, app, action, outcome, account_id, session_id, identifier, address, user_agent
            FROM audit_event
            WHERE number > $1 AND app = COALESCE($2, app) AND happened_at >= $3 AND number <= (
                SELECT number FROM audit_event
                -- What is from later than now was brought from another server, where it was settled.
                WHERE settled_by <= pg_snapshot_xmin(pg_current_snapshot())
                    OR settled_by > pg_snapshot_xmax(pg_current_snapshot())
                ORDER BY number DESC LIMIT 1)
            ORDER BY number LIMIT $4
            """,
            [start, app?.text, (since ?? .distantPast).milliseconds, max(0, min(limit, 10_000))]
        ).values { row in
            (
                position: Int(try row.integer()),
                event: AuditEvent(
                    at: try row.date(), app: try row.value(AppName.init), action: try row.text(),
                    outcome: try row.text(), account: try row.optionalValue(AccountID.init),
                    session: try row.optionalValue(SessionID.init), identifier: try row.optionalText(),
                    address: try row.optionalText(), userAgent: try row.optionalText())
            )
        }
    }

    /// After which number to begin; without it, `since` would read its month from the first.
    private func start(since: Date?, after position: Int?) async throws -> Int {
        if let position { return position }
        guard let since else { return 0 }
        // More than one, because a single one can have come late.
        return try await read(
            """
            SELECT min(number) - 1 FROM (
                SELECT number FROM audit_event WHERE happened_at >= $1 ORDER BY happened_at LIMIT 100) AS early
            """, [since.milliseconds - 3_600_000]
        ).value { try $0.optionalInteger().map { Int($0) } ?? 0 } ?? 0
    }
}
