package import Foundation
package import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func add(_ key: AppKey) async throws {
        try await write(
            """
            INSERT INTO app_key (\(PostgresReader.appKeyColumns)) VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (app, id) DO NOTHING
            """,
            [
                key.app.text, key.id, key.publicKey, key.appID, Int64(key.counter), key.createdAt.milliseconds,
                key.keptUntil.milliseconds,
            ])
    }

    package func appKey(_ id: [UInt8], in app: AppName) async throws -> AppKey? {
        try await read(
            "SELECT \(PostgresReader.appKeyColumns) FROM app_key WHERE app = $1 AND id = $2", [app.text, id]
        ).value { try $0.appKey() }
    }

    package func recordUse(
        ofAppKey id: [UInt8], in app: AppName, counter: UInt32, keptUntil: Date
    ) async throws -> Bool {
        try await recordUse(ofAppKey: id, in: app, counter: counter, keptUntil: keptUntil, as: WriteOperation(system))
    }

    func recordUse(
        ofAppKey id: [UInt8], in app: AppName, counter: UInt32, keptUntil: Date, as operation: WriteOperation
    ) async throws -> Bool {
        let results = try await write([
            PostgresStatement(
                """
                UPDATE app_key SET counter = $1, kept_until = GREATEST(kept_until, $2), used_by = $3::uuid
                WHERE app = $4 AND id = $5 AND counter < $1
                """, [Int64(counter), keptUntil.milliseconds, operation.id, app.text, id]),
            // Queried, not taken from the number of affected rows: a repetition finds what the first try recorded.
            PostgresStatement(
                "SELECT counter FROM app_key WHERE app = $1 AND id = $2 AND used_by = $3::uuid",
                [app.text, id, operation.id]),
        ])
        return !results[1].isEmpty
    }

    package func appKey(of session: SessionID, in app: AppName) async throws -> [UInt8]? {
        try await read(Self.boundKey, [session.text, app.text]).value { try $0.bytes() }
    }

    package func bind(_ session: SessionID, toAppKey id: [UInt8], in app: AppName) async throws -> [UInt8]? {
        let results = try await write([
            Self.binding(session, toAppKey: id, in: app), PostgresStatement(Self.boundKey, [session.text, app.text]),
        ])
        return try results[1].value { try $0.bytes() }
    }

    /// Binds a session that is bound to no key.
    static func binding(_ session: SessionID, toAppKey id: [UInt8], in app: AppName) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO session_app_key (session, key_id)
            SELECT number, $3 FROM session WHERE id = $1 AND app = $2
            ON CONFLICT (session) DO NOTHING
            """, [session.text, app.text, id])
    }

    private static let boundKey = """
        SELECT k.key_id FROM session s JOIN session_app_key k ON k.session = s.number WHERE s.id = $1 AND s.app = $2
        """
}
