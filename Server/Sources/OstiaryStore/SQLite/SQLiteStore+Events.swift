package import Foundation
import GRDB
import OstiaryCore
package import OstiaryEngine

extension SQLiteStore {
    package func add(_ endpoint: EventEndpoint, secret: [UInt8]) async throws -> Bool {
        try await write { db in
            try db.run(
                """
                INSERT INTO event_endpoint (id, app, url, types, include, description, contact, state, secret, created_at)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
                WHERE (SELECT count(*) FROM event_endpoint WHERE app = ?2) < ?11
                """,
                [
                    endpoint.id.text, endpoint.app.text, endpoint.url, EventNames(endpoint.types).text,
                    EventNames(endpoint.include).text, endpoint.description, endpoint.contact?.text,
                    endpoint.state.rawValue, Data(secret), endpoint.createdAt.milliseconds, EventEndpoint.limitPerApp,
                ]) == 1
        }
    }

    package func eventEndpoints(of app: AppName?) async throws -> [EventEndpoint] {
        try await read { db in
            try db.rows(
                """
                SELECT \(RowReader.eventEndpointColumns) FROM event_endpoint e
                WHERE e.app = COALESCE(?1, e.app) ORDER BY e.number
                """, [app?.text], read: { try $0.eventEndpoint() })
        }
    }

    package func eventEndpoint(_ id: EventEndpointID) async throws -> EventEndpoint? {
        try await read { try $0.eventEndpoint(id) }
    }

    package func replace(
        _ previous: EventEndpoint, by endpoint: EventEndpoint, state: EventEndpoint.State?
    ) async throws -> EventEndpoint? {
        try await write { db in
            guard try db.eventEndpoint(endpoint.id)?.hasSettings(of: previous) == true else { return nil }
            try db.run(
                """
                UPDATE event_endpoint SET
                    url = ?2, types = ?3, include = ?4, description = ?5, contact = ?6, state = COALESCE(?7, state),
                    failing_since = CASE WHEN ?7 = 'enabled' THEN NULL ELSE failing_since END
                WHERE id = ?1
                """,
                [
                    endpoint.id.text, endpoint.url, EventNames(endpoint.types).text, EventNames(endpoint.include).text,
                    endpoint.description, endpoint.contact?.text, state?.rawValue,
                ])
            return try db.eventEndpoint(endpoint.id)
        }
    }

    package func replaceSecret(
        of id: EventEndpointID, with secret: [UInt8], previousExpiresAt: Date
    ) async throws -> Bool {
        try await write { db in
            try db.run(
                """
                UPDATE event_endpoint SET previous_secret = secret, secret = ?2, previous_expires_at = ?3 WHERE id = ?1
                """, [id.text, Data(secret), previousExpiresAt.milliseconds]) == 1
        }
    }

    package func removeEventEndpoint(_ id: EventEndpointID) async throws -> Bool {
        // Its deliveries fail when they are due, and are swept: there may be millions.
        try await write { try $0.run("DELETE FROM event_endpoint WHERE id = ?1", [id.text]) == 1 }
    }

    package func queueTest(of id: EventEndpointID, at now: Date) async throws -> EventDelivery? {
        let event = system.randomEventID
        return try await write { db in
            guard let endpoint = try db.eventEndpoint(id), endpoint.state == .enabled else { return nil }
            try db.requireTestCapacity(of: id)
            try db.run(
                """
                INSERT INTO account_event (id, app, type, snapshot, details, created_at)
                VALUES (?1, ?2, ?3, '{}', '{}', ?4)
                """, [event, endpoint.app.text, EventType.test.rawValue, now.milliseconds])
            return try db.queue(event: db.lastInsertedRowID, of: endpoint.app, for: id, at: now)
        }
    }

    package func eventDeliveries(
        _ filter: EventDeliveryFilter, before position: Int?, limit: Int
    ) async throws -> [EventDelivery] {
        let limit = max(0, min(limit, 10_000))
        let found: [Int: EventDelivery] = try await read { db in
            var found: [Int: EventDelivery] = [:]
            for key in filter.keys {
                // A delivery that ends between two statements is read twice; its last state is kept.
                for state in filter.states {
                    let part = try db.rows(
                        Self.deliveries(by: filter.column), [key, state, position ?? .max, limit],
                        read: { try $0.eventDelivery() })
                    for delivery in part { found[delivery.id] = delivery }
                }
            }
            return found
        }
        return Array(found.values.filter { filter.apps.contains($0.app) }.sorted { $0.id > $1.id }.prefix(limit))
    }

    /// The statement that reads deliveries of one state, by an app or an endpoint.
    static func deliveries(by column: String) -> String {
        """
        SELECT \(RowReader.eventDeliveryColumns)
        FROM event_delivery d JOIN account_event v ON v.number = d.event
        WHERE d.\(column) = ?1 AND d.state = ?2 AND d.number < ?3 ORDER BY d.number DESC LIMIT ?4
        """
    }

    package func eventDelivery(_ id: Int) async throws -> EventDelivery? { try await read { try $0.eventDelivery(id) } }

    package func redeliver(_ id: Int, at now: Date) async throws -> EventDelivery? {
        try await write { db in
            guard let old = try db.eventDelivery(id), try db.eventEndpoint(old.endpoint)?.state == .enabled,
                let event = try db.row(
                    "SELECT event FROM event_delivery WHERE number = ?1", [id], read: { try $0.integer() })
            else { return nil }
            if old.type == EventType.test.rawValue { try db.requireTestCapacity(of: old.endpoint) }
            return try db.queue(event: event, of: old.app, for: old.endpoint, at: now)
        }
    }

    package func claimEvents(
        at now: Date, until claimedUntil: Date, limit: Int, excluding full: Set<EventEndpointID>,
        apps fullApps: Set<AppName>
    ) async throws -> [ClaimedDelivery] {
        // Asked first on a reading connection: most often nothing is due, and the writer is busy.
        let isDue = try await read { db in
            try db.row(
                "SELECT 1 FROM event_delivery WHERE state = 'pending' AND due_at <= ?1 LIMIT 1", [now.milliseconds],
                read: { try $0.integer() }) != nil
        }
        guard isDue, limit > 0 else { return [] }
        var examined = limit
        // Deliveries that wait for another one of their account are postponed with it, so that each round finds others.
        while true {
            let (claimed, found) = try await write { [examined] db in
                try db.claimEvents(
                    at: now, until: claimedUntil, limit: limit, examining: examined, excluding: full, apps: fullApps)
            }
            if !claimed.isEmpty || found < examined { return claimed }
            examined = EventWait.examined(limit: limit)
        }
    }

    package func finish(
        _ delivery: EventDelivery, attempts: [EventDelivery.Attempt], _ outcome: EventAttemptOutcome, at now: Date
    ) async throws {
        let (state, due, end) = outcome.columns(at: now)
        let text = try attempts.columnText()
        try await write { db in
            let isFinished = try db.run(
                """
                UPDATE event_delivery SET attempts = ?2, state = ?3, due_at = ?4, finished_at = ?5
                WHERE number = ?1 AND state = 'pending'
                """, [delivery.id, text, state, due, end])
            guard isFinished == 1 else { return }
            if end != nil { try db.releaseNext(after: delivery.id) }
            try db.noteHealth(of: delivery.endpoint, outcome, at: now)
        }
    }

    package func release(_ delivery: EventDelivery) async throws {
        _ = try await write { db in
            try db.run(
                "UPDATE event_delivery SET due_at = 0 WHERE number = ?1 AND state = 'pending'", [delivery.id])
        }
    }

    package func disable(
        _ id: EventEndpointID, failingSince: Date?, notice: CountedMessage?, at now: Date
    ) async throws -> EventEndpointDisabling {
        try await write { db in
            let isDisabled = try db.run(
                """
                UPDATE event_endpoint SET state = 'disabled'
                WHERE id = ?1 AND state = 'enabled' AND (?2 IS NULL OR failing_since <= ?2)
                """, [id.text, failingSince?.milliseconds])
            guard isDisabled == 1 else { return .unchanged }
            guard let notice else { return .disabled(refusal: nil) }
            if let refusal = try db.count(notice.buckets, at: now) { return .disabled(refusal: refusal) }
            try db.enqueue(notice.message)
            return .disabled(refusal: nil)
        }
    }
}

extension SystemDependencies {
    /// A random id of an event.
    var randomEventID: String { uuid().filter { $0 != "-" } }
}

extension EventAttemptOutcome {
    /// The columns `state`, `due_at` and `finished_at` of a delivery after an attempt.
    func columns(at now: Date) -> (state: String, due: Int64, end: Int64?) {
        switch self {
        case .delivered: (EventDelivery.State.delivered.rawValue, 0, now.milliseconds)
        case .failed: (EventDelivery.State.failed.rawValue, 0, now.milliseconds)
        case .retry(let next): (EventDelivery.State.pending.rawValue, next.milliseconds, nil)
        }
    }
}

extension Database {
    fileprivate func eventEndpoint(_ id: EventEndpointID) throws -> EventEndpoint? {
        try row(
            "SELECT \(RowReader.eventEndpointColumns) FROM event_endpoint e WHERE e.id = ?1", [id.text],
            read: { try $0.eventEndpoint() })
    }

    fileprivate func eventDelivery(_ id: Int) throws -> EventDelivery? {
        try row(
            """
            SELECT \(RowReader.eventDeliveryColumns) FROM event_delivery d JOIN account_event v ON v.number = d.event
            WHERE d.number = ?1
            """, [id], read: { try $0.eventDelivery() })
    }

    /// Queues an event for one endpoint, in no order with others.
    fileprivate func queue(
        event: Int64, of app: AppName, for endpoint: EventEndpointID, at now: Date
    ) throws -> EventDelivery? {
        try run(
            """
            INSERT INTO event_delivery (endpoint_id, event, app, state, attempts, created_at, due_at)
            VALUES (?1, ?2, ?3, 'pending', '[]', ?4, 0)
            """, [endpoint.text, event, app.text, now.milliseconds])
        return try eventDelivery(Int(lastInsertedRowID))
    }

    /// - Throws: ``TooManyPendingTests``.
    fileprivate func requireTestCapacity(of endpoint: EventEndpointID) throws {
        let pending = try rows(
            """
            SELECT 1 FROM event_delivery d INDEXED BY event_delivery_order JOIN account_event v ON v.number = d.event
            WHERE d.endpoint_id = ?1 AND d.order_key IS NULL AND d.state = 'pending' AND v.type = ?2 LIMIT ?3
            """, [endpoint.text, EventType.test.rawValue, EventEndpoint.limitOfPendingTests], read: { try $0.integer() }
        )
        guard pending.count < EventEndpoint.limitOfPendingTests else { throw TooManyPendingTests() }
    }

    /// - Parameter examined: The number of due deliveries that are read. Of these at most `limit` are claimed, and those that
    ///   wait for another one are postponed.
    /// - Returns: The claimed deliveries, and the number of those that were read.
    fileprivate func claimEvents(
        at now: Date, until claimedUntil: Date, limit: Int, examining examined: Int,
        excluding full: Set<EventEndpointID>, apps fullApps: Set<AppName>
    ) throws -> (claimed: [ClaimedDelivery], found: Int) {
        // The index by account is named: without statistics SQLite would choose the one of lists by endpoint.
        let due = try rows(
            """
            SELECT d.number,
                EXISTS (SELECT 1 FROM event_endpoint e WHERE e.id = d.endpoint_id AND e.state = 'enabled'),
                (SELECT p.due_at FROM event_delivery p INDEXED BY event_delivery_order
                 WHERE p.endpoint_id = d.endpoint_id AND p.order_key = d.order_key AND p.state = 'pending'
                    AND p.number < d.number ORDER BY p.number LIMIT 1)
            FROM event_delivery d WHERE d.state = 'pending' AND d.due_at <= ?1
                AND instr(?3, ' ' || d.endpoint_id || ' ') = 0 AND instr(?4, ' ' || d.app || ' ') = 0
            ORDER BY d.due_at, d.number LIMIT ?2
            """,
            [
                now.milliseconds, examined, " \(full.map(\.text).joined(separator: " ")) ",
                " \(fullApps.map(\.text).joined(separator: " ")) ",
            ]
        ) { row in (number: try row.integer(), isOpen: try row.bool(), blockedUntil: try row.optionalInteger()) }
        var claimed: [ClaimedDelivery] = []
        for delivery in due {
            if !delivery.isOpen {
                try run(
                    "UPDATE event_delivery SET state = 'failed', finished_at = ?2 WHERE number = ?1",
                    [delivery.number, now.milliseconds])
            } else if let end = delivery.blockedUntil {
                try run(
                    "UPDATE event_delivery SET due_at = ?2 WHERE number = ?1",
                    [delivery.number, EventWait.end(blockedUntil: end, at: now)])
            } else if claimed.count < limit {
                try run(
                    "UPDATE event_delivery SET due_at = ?2 WHERE number = ?1",
                    [delivery.number, claimedUntil.milliseconds])
                claimed += try rows(
                    """
                    SELECT \(RowReader.claimedDeliveryColumns)
                    FROM event_delivery d JOIN account_event v ON v.number = d.event
                        JOIN event_endpoint e ON e.id = d.endpoint_id
                    WHERE d.number = ?1
                    """, [delivery.number], read: { try $0.claimedDelivery() })
            }
        }
        return (claimed, due.count)
    }

    /// Makes the account's next delivery due.
    fileprivate func releaseNext(after number: Int) throws {
        try run(
            """
            UPDATE event_delivery SET due_at = 0 WHERE number = (
                SELECT n.number FROM event_delivery d JOIN event_delivery n INDEXED BY event_delivery_order
                    ON n.endpoint_id = d.endpoint_id AND n.order_key = d.order_key AND n.state = 'pending'
                WHERE d.number = ?1 AND n.number > ?1 ORDER BY n.number LIMIT 1)
            """, [number])
    }

    fileprivate func noteHealth(of id: EventEndpointID, _ outcome: EventAttemptOutcome, at now: Date) throws {
        if outcome == .delivered {
            try run(
                """
                UPDATE event_endpoint SET last_success_at = ?2, failing_since = NULL
                WHERE id = ?1 AND (failing_since IS NOT NULL OR last_success_at IS NULL OR last_success_at < ?3)
                """,
                [
                    id.text, now.milliseconds,
                    now.addingTimeInterval(-EventEndpoint.successResolutionSeconds).milliseconds,
                ])
        } else {
            try run(
                "UPDATE event_endpoint SET failing_since = ?2 WHERE id = ?1 AND failing_since IS NULL",
                [id.text, now.milliseconds])
        }
    }

    /// Returns the number of the event recorded last; 0 if there is none.
    func lastEventNumber() throws -> Int64 {
        try row("SELECT max(number) FROM account_event", [], read: { try $0.optionalInteger() ?? 0 }) ?? 0
    }

    /// Records the event of a refused sign-in, if the account had none within the last minute.
    func recordRefusal(_ refusal: AuditEvent, id: String) throws {
        let details = EventDetails(operation: refusal.action, code: refusal.outcome)
        try run(
            """
            INSERT INTO account_event (id, app, type, account_id, session_id, snapshot, details, created_at)
            SELECT ?1, a.app, 'sign_in.refused', a.id, ?4, \(Schema.snapshot(of: "a")), ?5, \(Schema.now)
            FROM account a
            WHERE a.app = ?2 AND a.id = ?3 AND \(Schema.isWanted("sign_in.refused", in: "a.app"))
                AND NOT EXISTS (
                    SELECT 1 FROM account_event
                    WHERE app = ?2 AND account_id = ?3 AND type = 'sign_in.refused' AND created_at > \(Schema.now) - ?6)
            """,
            [
                id, refusal.app.text, refusal.account?.text, refusal.session?.text, try details.columnText(),
                EventType.refusalSeconds * 1000,
            ])
    }
}

extension EventDetails {
    /// The details in the format of their column.
    func columnText() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
}
