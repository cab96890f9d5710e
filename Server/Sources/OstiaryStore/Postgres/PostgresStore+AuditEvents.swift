package import Foundation
import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func append(_ event: AuditEvent) async throws {
        try await append(event, as: WriteOperation(system))
    }

    func append(_ event: AuditEvent, as operation: WriteOperation) async throws {
        let statement = Self.appending(event, as: operation)
        guard event.isRefusedSignIn else {
            try await write(statement.sql, statement.parameters)
            return
        }
        try await write([statement, Self.recording(event, id: system.randomEventID)])
    }

    /// Returns the statement that appends an event. It must be the first write of a transaction.
    ///
    /// A reader that follows by number must miss no event, although transactions do not commit in the order of their
    /// numbers. So numbers and transaction ids are drawn in one order: both under a lock, which is held for that moment
    /// and not until the commit, because otherwise no two commits could share a flush. It is a session-level lock:
    /// nothing waits while it is held, and a connection whose server process failed is not used again.
    static func appending(_ event: AuditEvent, as operation: WriteOperation) -> PostgresStatement {
        PostgresStatement(
            """
            WITH place AS MATERIALIZED (
                -- The first has the sequence locked and draws nothing, so that nothing waits while the lock is held.
                SELECT pg_sequence_last_value('audit_event_number_seq'), pg_advisory_lock(\(numbering)),
                    pg_current_xact_id() AS transaction,
                    nextval('audit_event_number_seq') AS number, pg_advisory_unlock(\(numbering))
            )
            INSERT INTO audit_event (
                number, transaction, happened_at, app, action, outcome, account_id, session_id, identifier, address,
                user_agent, operation, actor, method, factor, is_new_account, details)
            SELECT number, transaction, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10::uuid, $11, $12, $13, $14, $15 FROM place
            ON CONFLICT (happened_at, operation) DO NOTHING
            """,
            [
                event.at.milliseconds, event.app.text, event.action.keepable, event.outcome.keepable,
                event.account?.text, event.session?.text, event.identifier.keepable, event.address.keepable,
                event.userAgent.keepable, operation.id, event.actor.keepable, event.method.keepable,
                event.factor.keepable, event.isNewAccount ? true : Bool?.none,
                try? AuditDetails(event.details).text(),
            ])
    }

    /// The advisory lock's key, "OSTYaudt".
    private static let numbering: Int64 = 0x4F53_5459_6175_6474

    /// Returns events in the order of their numbers. An event becomes visible once every append with a lower number has
    /// ended, so that all events with lower numbers are visible then.
    ///
    /// `since` is searched by time, five minutes early: events of a node whose clock was off by more may be missed by
    /// it.
    package func events(
        in app: AppName?, since: Date?, after position: Int?, limit: Int
    ) async throws -> [(position: Int, event: AuditEvent)] {
        // Before the events are read, in a statement of its own: the later snapshot sees every transaction that has
        // ended.
        let unsettled = try await firstUnsettled()
        guard let start = try await start(since: since, after: position) else { return [] }
        // The upper bound is compared here, and the app in a statement of its own: with either in a condition the
        // planner estimates so few rows that it reads and sorts all of them.
        let ofApp = app == nil ? "$4::text IS NULL" : "app = $4"
        return try await read(
            """
            SELECT (
                    SELECT number FROM audit_event
                    -- Ids from the future are another server's, whose events were brought here.
                    WHERE transaction < $5::xid8 OR transaction >= pg_snapshot_xmax(pg_current_snapshot())
                    ORDER BY number DESC LIMIT 1) AS settled,
                number, \(PostgresReader.auditEventColumns)
            FROM audit_event
            WHERE number > $1 AND happened_at >= $2 AND \(ofApp)
            ORDER BY number LIMIT $3
            """,
            [start, (since ?? .distantPast).milliseconds, max(0, min(limit, 10_000)), app?.text, unsettled]
        ).values { row in
            (
                end: try row.optionalInteger() ?? 0,
                position: Int(try row.integer()), event: try row.auditEvent()
            )
        }
        .prefix { $0.position <= $0.end }.map { ($0.position, $0.event) }
    }

    /// Returns events in the order of their times, app by app.
    ///
    /// Events of concurrent appends may become visible after later ones; a reader that must miss none uses
    /// ``events(in:since:after:limit:)``.
    package func events(
        _ query: AuditQuery, after position: AuditPosition?, limit: Int
    ) async throws -> (page: [RecordedEvent], position: AuditPosition?) {
        let limit = max(1, min(limit, 10_000))
        let selection = AuditSelection(query, after: position, limit: limit + 1, in: .postgres)
        let parameters = selection.arguments.map { argument -> any PostgresParameter in
            switch argument {
            case .text(let text): text
            case .integer(let integer): integer
            }
        }
        var events: [[RecordedEvent]] = []
        for app in query.apps {
            let found = try await read(selection.sql, [app.text] + parameters).values { row in
                RecordedEvent(id: Int(try row.integer()), event: try row.auditEvent())
            }
            events.append(found)
        }
        return query.page(merging: events, limit: limit)
    }

    /// Returns the oldest transaction that is appending at this moment; the next transaction id if there is none.
    ///
    /// An appending transaction holds a lock on the table from before its id is drawn until its writes are visible.
    /// Other transactions of the server, which may last for hours, delay nothing. A transaction that has an id and does
    /// not yet show its lock is harmless: appends draw their ids one after the other, so all later ids are above the
    /// bound.
    private func firstUnsettled() async throws -> String {
        try await read(
            """
            SELECT COALESCE((
                SELECT x FROM pg_snapshot_xip(pg_current_snapshot()) AS x
                WHERE EXISTS (
                    SELECT FROM pg_locks AS writing JOIN pg_locks AS id USING (virtualtransaction)
                    WHERE writing.relation = 'audit_event'::regclass AND writing.mode = 'RowExclusiveLock'
                        -- The table of another database may have the same number.
                        AND writing.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                        -- Locks show the lower half of an id.
                        AND id.transactionid::text::bigint = x::text::bigint & 4294967295)
                ORDER BY x LIMIT 1), pg_snapshot_xmax(pg_current_snapshot()))::text
            """
        ).value { try $0.text() } ?? "0"
    }

    /// Returns the number after which to begin, so that `since` need not read all earlier events; nil if no event is
    /// that late.
    private func start(since: Date?, after position: Int?) async throws -> Int? {
        guard let since else { return position ?? 0 }
        // Several rows, because a single one can be out of order.
        return try await read(
            """
            SELECT min(number) - 1 FROM (
                SELECT number FROM audit_event WHERE happened_at >= $1 ORDER BY happened_at LIMIT 100) AS early
            """, [since.milliseconds - 300_000]
        ).value { try $0.optionalInteger() }?.map { max(Int($0), position ?? 0) }
    }
}
