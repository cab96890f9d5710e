package import Foundation
import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func add(_ endpoint: EventEndpoint, secret: [UInt8]) async throws -> Bool {
        let results = try await write([
            PostgresStatement(
                """
                INSERT INTO event_endpoint (id, app, url, types, include, description, contact, state, secret, created_at)
                SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
                WHERE (SELECT count(*) FROM event_endpoint WHERE app = $2) < $11
                ON CONFLICT (id) DO NOTHING
                """,
                [
                    endpoint.id.text, endpoint.app.text, endpoint.url, EventNames(endpoint.types).text,
                    EventNames(endpoint.include).text, endpoint.description.keepable, endpoint.contact?.text,
                    endpoint.state.rawValue, secret, endpoint.createdAt.milliseconds, EventEndpoint.limitPerApp,
                ]),
            // Queried, not taken from the number of affected rows: a repetition finds the endpoint of the first try.
            PostgresStatement("SELECT number FROM event_endpoint WHERE id = $1", [endpoint.id.text]),
        ])
        return results.last?.isEmpty == false
    }

    package func eventEndpoints(of app: AppName?) async throws -> [EventEndpoint] {
        try await read(
            """
            SELECT \(PostgresReader.eventEndpointColumns) FROM event_endpoint e
            WHERE e.app = COALESCE($1, e.app) ORDER BY e.number
            """, [app?.text]
        ).values { try $0.eventEndpoint() }
    }

    package func eventEndpoint(_ id: EventEndpointID) async throws -> EventEndpoint? {
        try await read(Self.endpointByID, [id.text]).value { try $0.eventEndpoint() }
    }

    package func replace(
        _ previous: EventEndpoint, by endpoint: EventEndpoint, state: EventEndpoint.State?
    ) async throws -> EventEndpoint? {
        try await write(
            """
            UPDATE event_endpoint e SET
                url = $2, types = $3, include = $4, description = $5, contact = $6, state = COALESCE($7, state),
                failing_since = CASE WHEN $7 = 'enabled' THEN NULL ELSE failing_since END
            WHERE id = $1 AND url = $8 AND types = $9 AND include = $10 AND description IS NOT DISTINCT FROM $11
                AND contact IS NOT DISTINCT FROM $12
            RETURNING \(PostgresReader.eventEndpointColumns)
            """,
            [
                endpoint.id.text, endpoint.url, EventNames(endpoint.types).text, EventNames(endpoint.include).text,
                endpoint.description.keepable, endpoint.contact?.text, state?.rawValue,
                previous.url, EventNames(previous.types).text, EventNames(previous.include).text,
                previous.description.keepable, previous.contact?.text,
            ]
        ).value { try $0.eventEndpoint() }
    }

    package func replaceSecret(
        of id: EventEndpointID, with secret: [UInt8], previousExpiresAt: Date
    ) async throws -> Bool {
        let results = try await write([
            // A repetition finds its own secret.
            PostgresStatement(
                """
                UPDATE event_endpoint SET previous_secret = secret, secret = $2, previous_expires_at = $3
                WHERE id = $1 AND secret <> $2
                """, [id.text, secret, previousExpiresAt.milliseconds]),
            PostgresStatement("SELECT number FROM event_endpoint WHERE id = $1 AND secret = $2", [id.text, secret]),
        ])
        return results.last?.isEmpty == false
    }

    package func removeEventEndpoint(_ id: EventEndpointID) async throws -> Bool {
        try await performOnce(WriteOperation(system)) { tx in
            // Its deliveries fail when they are due, and are swept: there may be millions.
            let removed = try await tx.run("DELETE FROM event_endpoint WHERE id = $1", [id.text])
            guard removed.affected == 1 else { throw NothingDone() }
        }
    }

    package func queueTest(of id: EventEndpointID, at now: Date) async throws -> EventDelivery? {
        let (operation, event) = (WriteOperation(system), system.randomEventID)
        let number = try await number(of: operation) { tx in
            guard let endpoint = try await tx.run(Self.endpointByID, [id.text]).value({ try $0.eventEndpoint() }),
                endpoint.state == .enabled
            else { return nil }
            try await tx.requireTestCapacity(of: id)
            let added = try await tx.run(
                """
                INSERT INTO account_event (id, app, type, actor, snapshot, details, created_at)
                VALUES ($1, $2, $3, NULLIF(current_setting('ostiary.actor', true), ''), '{}', '{}', $4) RETURNING number
                """, [event, endpoint.app.text, EventType.test.rawValue, now.milliseconds])
            guard let number = try added.value({ try $0.integer() }) else { return nil }
            return try await tx.queue(event: number, of: endpoint.app, for: id, at: now)
        }
        guard let number else { return nil }
        return try await eventDelivery(number)
    }

    package func eventDeliveries(
        _ filter: EventDeliveryFilter, before position: Int?, limit: Int
    ) async throws -> [EventDelivery] {
        // The limit of one row keeps the planner from a join that reads every event.
        try await read(
            """
            SELECT \(PostgresReader.eventDeliveryColumns)
            FROM (
                SELECT part.*
                FROM unnest($1::text[]) AS of_key, unnest($2::text[]) AS of_state, LATERAL (
                    SELECT * FROM event_delivery
                    WHERE \(filter.column) = of_key AND state = of_state AND -number > -$3::bigint
                    ORDER BY -number LIMIT $4) AS part
                ORDER BY part.number DESC LIMIT $4) AS d,
                LATERAL (SELECT * FROM account_event WHERE number = d.event LIMIT 1) AS v
            WHERE d.app = ANY ($5::text[])
            ORDER BY d.number DESC
            """,
            [
                filter.keys, filter.states, position ?? .max, max(0, min(limit, 10_000)), filter.apps.map(\.text),
            ]
        ).values { try $0.eventDelivery() }
    }

    package func eventDelivery(_ id: Int) async throws -> EventDelivery? {
        try await read(Self.deliveryByNumber, [id]).value { try $0.eventDelivery() }
    }

    package func redeliver(_ id: Int, at now: Date) async throws -> EventDelivery? {
        let number = try await number(of: WriteOperation(system)) { tx in
            guard let old = try await tx.run(Self.deliveryByNumber, [id]).value({ try $0.eventDelivery() }),
                try await tx.run(Self.endpointByID, [old.endpoint.text]).value({ try $0.eventEndpoint() })?.state
                    == .enabled,
                let event = try await tx.run("SELECT event FROM event_delivery WHERE number = $1", [id])
                    .value({ try $0.integer() })
            else { return nil }
            if old.type == EventType.test.rawValue { try await tx.requireTestCapacity(of: old.endpoint) }
            return try await tx.queue(event: event, of: old.app, for: old.endpoint, at: now)
        }
        guard let number else { return nil }
        return try await eventDelivery(number)
    }

    /// Runs a transaction that adds a delivery, and whose repetition finds it.
    private func number(
        of operation: WriteOperation, _ body: @Sendable (PostgresTransaction) async throws -> Int64?
    ) async throws -> Int? {
        do {
            return try await transaction { tx in
                if case .repeated(let answer) = try await tx.begin(operation) { return answer.flatMap { Int($0) } }
                guard let number = try await body(tx) else { throw NothingDone() }
                try await tx.remember(String(number), of: operation)
                return Int(number)
            }
        } catch is NothingDone {
            return nil
        }
    }

    package func disable(
        _ id: EventEndpointID, failingSince: Date?, notice: CountedMessage?, at now: Date
    ) async throws -> EventEndpointDisabling {
        let operation = WriteOperation(system)
        do {
            return try await transaction { tx in
                guard try await tx.begin(operation) == .first else { return .disabled(refusal: nil) }
                let disabled = try await tx.run(
                    """
                    UPDATE event_endpoint SET state = 'disabled'
                    WHERE id = $1 AND state = 'enabled' AND ($2::bigint IS NULL OR failing_since <= $2)
                    """, [id.text, failingSince?.milliseconds])
                guard disabled.affected == 1 else { throw NothingDone() }
                guard let notice else { return .disabled(refusal: nil) }
                switch try await tx.verdict(on: notice.buckets, at: now, as: operation) {
                case .refused(let refusal): return .disabled(refusal: refusal)
                case .counted: break
                case .allowed(let counting): try await tx.run([counting, notice.message.insertion])
                }
                return .disabled(refusal: nil)
            }
        } catch is NothingDone {
            return .unchanged
        }
    }

    private static let endpointByID =
        "SELECT \(PostgresReader.eventEndpointColumns) FROM event_endpoint e WHERE e.id = $1"

    private static let deliveryByNumber = """
        SELECT \(PostgresReader.eventDeliveryColumns) FROM event_delivery d JOIN account_event v ON v.number = d.event
        WHERE d.number = $1
        """
}

extension PostgresTransaction {
    /// - Throws: ``TooManyPendingTests``. Concurrent calls may exceed the limit by their number.
    fileprivate func requireTestCapacity(of endpoint: EventEndpointID) async throws {
        let pending = try await run(
            """
            SELECT d.number FROM event_delivery d JOIN account_event v ON v.number = d.event
            WHERE d.endpoint_id = $1 AND d.order_key IS NULL AND d.state = 'pending' AND v.type = $2
            LIMIT \(EventEndpoint.limitOfPendingTests)
            """, [endpoint.text, EventType.test.rawValue])
        guard pending.count < EventEndpoint.limitOfPendingTests else { throw TooManyPendingTests() }
    }

    /// Queues an event for one endpoint, in no order with others.
    ///
    /// - Returns: The number of the delivery.
    fileprivate func queue(
        event: Int64, of app: AppName, for endpoint: EventEndpointID, at now: Date
    ) async throws -> Int64? {
        try await run(
            """
            INSERT INTO event_delivery (endpoint_id, event, app, state, attempts, created_at, due_at)
            VALUES ($1, $2, $3, 'pending', '[]', $4, 0) RETURNING number
            """, [endpoint.text, event, app.text, now.milliseconds]
        ).value { try $0.integer() }
    }
}
