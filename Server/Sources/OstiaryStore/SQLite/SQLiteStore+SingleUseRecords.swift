package import Foundation
import GRDB
package import OstiaryCore
package import OstiaryEngine

extension SQLiteStore {
    package func add(_ record: SingleUseRecord) async throws {
        let now = system.now()
        try await write { try $0.insert(record, at: now) }
    }

    package func add(_ record: SingleUseRecord, within buckets: [AttemptBucket], at now: Date) async throws
        -> AttemptRefusal?
    {
        try await write { db in
            if let refusal = try db.count(buckets, at: now) { return refusal }
            try db.insert(record, at: now)
            return nil
        }
    }

    package func singleUseRecord(_ kind: SingleUseRecord.Kind, _ hash: [UInt8], in app: AppName, at now: Date)
        async throws -> SingleUseRecord?
    {
        try await read { db in
            try db.row(
                """
                SELECT payload, expires_at FROM ticket
                WHERE app = ?1 AND kind = ?2 AND hash = ?3 AND spent_at IS NULL AND expires_at > ?4
                """, [app.text, kind.rawValue, Data(hash), now.milliseconds]
            ) { try $0.singleUseRecord(kind, hash, in: app) }
        }
    }

    package func spend(
        _ kind: SingleUseRecord.Kind, _ hash: [UInt8], in app: AppName, at now: Date, for session: SessionID?,
        keeping successor: SingleUseRecord?
    ) async throws -> Redemption {
        try await write { db in
            let spent = try db.row(
                """
                UPDATE ticket SET spent_at = ?4, session_id = ?5
                WHERE app = ?1 AND kind = ?2 AND hash = ?3 AND spent_at IS NULL AND expires_at > ?4
                RETURNING payload, expires_at
                """, [app.text, kind.rawValue, Data(hash), now.milliseconds, session?.text]
            ) { try $0.singleUseRecord(kind, hash, in: app) }
            if let spent {
                if let successor { try db.insert(successor, at: now) }
                return .spent(spent)
            }
            // Only a redeemed record can be unexpired here.
            let replayed = try db.row(
                """
                SELECT payload, expires_at, session_id FROM ticket
                WHERE app = ?1 AND kind = ?2 AND hash = ?3 AND expires_at > ?4
                """, [app.text, kind.rawValue, Data(hash), now.milliseconds]
            ) { row in
                let record = try row.singleUseRecord(kind, hash, in: app)
                return Redemption.replayed(record, session: try row.optionalValue(SessionID.init))
            }
            return replayed ?? .unknown
        }
    }
}

extension Database {
    /// - Throws: ``StoreRefusal/alreadySpent`` if there is one that has not expired.
    func insert(_ record: SingleUseRecord, at now: Date) throws {
        let added = try run(
            """
            INSERT INTO ticket (app, kind, hash, payload, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (app, kind, hash) DO UPDATE SET
                payload = excluded.payload, expires_at = excluded.expires_at, spent_at = NULL, session_id = NULL
            WHERE ticket.expires_at <= ?6
            """,
            [
                record.app.text, record.kind.rawValue, Data(record.hash), Data(record.payload),
                record.expiresAt.milliseconds, now.milliseconds,
            ])
        guard added == 1 else { throw StoreRefusal.alreadySpent }
    }

    /// Adds a single-use record, or replaces one with an earlier end.
    func replaceEarlier(_ record: SingleUseRecord) throws {
        try run(
            """
            INSERT INTO ticket (app, kind, hash, payload, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (app, kind, hash) DO UPDATE SET
                payload = excluded.payload, expires_at = excluded.expires_at, spent_at = NULL, session_id = NULL
            WHERE ticket.expires_at < excluded.expires_at
            """,
            [
                record.app.text, record.kind.rawValue, Data(record.hash), Data(record.payload),
                record.expiresAt.milliseconds,
            ])
    }
}

extension RowReader {
    fileprivate mutating func singleUseRecord(_ kind: SingleUseRecord.Kind, _ hash: [UInt8], in app: AppName) throws
        -> SingleUseRecord
    {
        SingleUseRecord(app: app, kind: kind, hash: hash, payload: try bytes(), expiresAt: try date())
    }
}
