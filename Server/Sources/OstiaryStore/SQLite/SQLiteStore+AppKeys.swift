package import Foundation
import GRDB
package import OstiaryCore
package import OstiaryEngine

extension SQLiteStore {
    package func add(_ key: AppKey) async throws {
        _ = try await write { db in
            try db.run(
                """
                INSERT INTO app_key (\(RowReader.appKeyColumns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                ON CONFLICT DO NOTHING
                """,
                [
                    key.app.text, Data(key.id), Data(key.publicKey), key.appID, Int64(key.counter),
                    key.createdAt.milliseconds, key.keptUntil.milliseconds,
                ])
        }
    }

    package func appKey(_ id: [UInt8], in app: AppName) async throws -> AppKey? {
        try await read { db in
            try db.row(
                "SELECT \(RowReader.appKeyColumns) FROM app_key WHERE app = ?1 AND id = ?2", [app.text, Data(id)]
            ) { try $0.appKey() }
        }
    }

    package func recordUse(
        ofAppKey id: [UInt8], in app: AppName, counter: UInt32, keptUntil: Date
    ) async throws -> Bool {
        try await write { db in
            try db.run(
                """
                UPDATE app_key SET counter = ?1, kept_until = max(kept_until, ?2)
                WHERE app = ?3 AND id = ?4 AND counter < ?1
                """, [Int64(counter), keptUntil.milliseconds, app.text, Data(id)]) == 1
        }
    }

    package func appKey(of session: SessionID, in app: AppName) async throws -> [UInt8]? {
        try await read { try $0.appKey(of: session, in: app) }
    }

    package func bind(_ session: SessionID, toAppKey id: [UInt8], in app: AppName) async throws -> [UInt8]? {
        try await write { db in
            try db.bind(session, toAppKey: id, in: app)
            return try db.appKey(of: session, in: app)
        }
    }
}

extension Database {
    /// Binds a session that is bound to no key.
    func bind(_ session: SessionID, toAppKey id: [UInt8], in app: AppName) throws {
        try run(
            """
            INSERT INTO session_app_key (session, key_id)
            SELECT number, ?3 FROM session WHERE id = ?1 AND app = ?2 ON CONFLICT DO NOTHING
            """, [session.text, app.text, Data(id)])
    }

    fileprivate func appKey(of session: SessionID, in app: AppName) throws -> [UInt8]? {
        try row(
            """
            SELECT k.key_id FROM session s JOIN session_app_key k ON k.session = s.number
            WHERE s.id = ?1 AND s.app = ?2
            """, [session.text, app.text]
        ) { try $0.bytes() }
    }
}
