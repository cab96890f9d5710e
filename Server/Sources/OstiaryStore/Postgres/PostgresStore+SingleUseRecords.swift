package import Foundation
package import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func add(_ record: SingleUseRecord) async throws {
        try await add(record, as: WriteOperation(system))
    }

    func add(_ record: SingleUseRecord, as operation: WriteOperation) async throws {
        guard try await write(record.keeping(operation, at: operation.at)).isKept else {
            throw StoreRefusal.alreadySpent
        }
    }

    package func add(_ record: SingleUseRecord, within buckets: [AttemptBucket], at now: Date) async throws
        -> AttemptRefusal?
    {
        let operation = WriteOperation(system)
        // The hash is new, so the insertion cannot conflict and its result needs no check.
        return try await count(buckets, at: now, and: record.keeping(operation, at: now), as: operation)
    }

    package func singleUseRecord(_ kind: SingleUseRecord.Kind, _ hash: [UInt8], in app: AppName, at now: Date)
        async throws -> SingleUseRecord?
    {
        try await read(
            """
            SELECT payload, expires_at FROM ticket
            WHERE app = $1 AND kind = $2 AND hash = $3 AND spent_at IS NULL AND expires_at > $4
            """, [app.text, kind.rawValue, hash, now.milliseconds]
        ).value { try $0.singleUseRecord(kind, hash, in: app) }
    }

    package func spend(
        _ kind: SingleUseRecord.Kind, _ hash: [UInt8], in app: AppName, at now: Date, for session: SessionID?,
        keeping successor: SingleUseRecord?
    ) async throws -> Redemption {
        try await spend(
            kind, hash, in: app, at: now, for: session, keeping: successor, as: WriteOperation(system))
    }

    func spend(
        _ kind: SingleUseRecord.Kind, _ hash: [UInt8], in app: AppName, at now: Date, for session: SessionID?,
        keeping successor: SingleUseRecord?, as operation: WriteOperation
    ) async throws -> Redemption {
        let statements = [
            PostgresStatement(
                """
                UPDATE ticket SET spent_at = $4, session_id = $5, spent_by = $6::uuid
                WHERE app = $1 AND kind = $2 AND hash = $3 AND spent_at IS NULL AND expires_at > $4
                """, [app.text, kind.rawValue, hash, now.milliseconds, session?.text, operation.id]),
            // A separate statement, because it must see what a concurrent transaction that redeemed the record has
            // committed.
            PostgresStatement(
                """
                SELECT payload, expires_at, session_id, COALESCE(spent_by = $5::uuid, FALSE) FROM ticket
                WHERE app = $1 AND kind = $2 AND hash = $3 AND expires_at > $4
                """, [app.text, kind.rawValue, hash, now.milliseconds, operation.id]),
        ]
        @Sendable func spending(_ results: [PostgresRows]) throws -> Redemption {
            try results.last?.value { row in
                let record = try row.singleUseRecord(kind, hash, in: app)
                let session = try row.optionalValue(SessionID.init)
                return try row.bool() ? .spent(record) : .replayed(record, session: session)
            } ?? .unknown
        }
        guard let successor else { return try spending(await write(statements)) }
        return try await transaction { tx in
            let spending = try spending(await tx.run(statements))
            guard case .spent = spending else { return spending }
            guard try await tx.run(successor.keeping(operation, at: now)).isKept else {
                throw StoreRefusal.alreadySpent
            }
            return spending
        }
    }
}

extension SingleUseRecord {
    /// Returns the statements that store the record unless a valid one exists, and query whether this operation wrote
    /// the row.
    func keeping(_ operation: WriteOperation, at now: Date) -> [PostgresStatement] {
        [
            PostgresStatement(
                """
                INSERT INTO ticket (app, kind, hash, payload, expires_at, written_by) VALUES ($1, $2, $3, $4, $5, $6::uuid)
                ON CONFLICT (app, kind, hash) DO UPDATE SET
                    payload = excluded.payload, expires_at = excluded.expires_at, written_by = excluded.written_by,
                    spent_at = NULL, session_id = NULL, spent_by = NULL
                WHERE ticket.expires_at <= $7
                """,
                [app.text, kind.rawValue, hash, payload, expiresAt.milliseconds, operation.id, now.milliseconds]),
            PostgresStatement(
                "SELECT 1 FROM ticket WHERE app = $1 AND kind = $2 AND hash = $3 AND written_by = $4::uuid",
                [app.text, kind.rawValue, hash, operation.id]),
        ]
    }

    /// The statement that adds the record, or replaces one with an earlier end.
    var replacingEarlier: PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO ticket (app, kind, hash, payload, expires_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (app, kind, hash) DO UPDATE SET
                payload = excluded.payload, expires_at = excluded.expires_at, written_by = NULL,
                spent_at = NULL, session_id = NULL, spent_by = NULL
            WHERE ticket.expires_at < excluded.expires_at
            """, [app.text, kind.rawValue, hash, payload, expiresAt.milliseconds])
    }
}

extension [PostgresRows] {
    /// `true` if ``SingleUseRecord/keeping(_:at:)`` stored the record.
    var isKept: Bool { last?.isEmpty == false }
}

extension PostgresReader {
    fileprivate mutating func singleUseRecord(_ kind: SingleUseRecord.Kind, _ hash: [UInt8], in app: AppName) throws
        -> SingleUseRecord
    {
        SingleUseRecord(app: app, kind: kind, hash: hash, payload: try bytes(), expiresAt: try date())
    }
}
