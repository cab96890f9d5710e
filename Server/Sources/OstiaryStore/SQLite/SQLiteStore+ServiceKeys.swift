package import Foundation
import GRDB
package import OstiaryEngine

extension SQLiteStore {
    package func add(_ key: ServiceKey) async throws {
        _ = try await write { db in
            try db.run(
                """
                INSERT INTO service_key (\(RowReader.serviceKeyColumns))
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                """,
                [
                    key.id.text, key.name, Data(key.hash), key.scopeList, key.appList, key.networkList,
                    key.createdAt.milliseconds, key.expiresAt?.milliseconds, key.lastUsedAt?.milliseconds,
                    key.revokedAt?.milliseconds,
                ])
        }
    }

    package func serviceKey(_ id: ServiceKeyID) async throws -> ServiceKey? {
        try await read { db in
            try db.row("SELECT \(RowReader.serviceKeyColumns) FROM service_key WHERE id = ?1", [id.text]) {
                try $0.serviceKey()
            }
        }
    }

    package func serviceKeys(
        after position: Int?, limit: Int
    ) async throws -> (page: [ServiceKey], position: Int?) {
        let limit = max(0, limit)
        let found = try await read { db in
            try db.rows(
                """
                SELECT number, \(RowReader.serviceKeyColumns) FROM service_key WHERE number > ?1
                ORDER BY number LIMIT ?2
                """, [position ?? 0, limit + 1]
            ) { (Int(try $0.integer()), try $0.serviceKey()) }
        }
        return (found.prefix(limit).map(\.1), found.count > limit ? found.prefix(limit).last?.0 : nil)
    }

    package func revokeServiceKey(_ id: ServiceKeyID, at now: Date) async throws -> ServiceKey? {
        try await write { db in
            try db.endSessions(
                actingFor: AdministrationActor.serviceKey(id.text).text, Revocation(reason: .actorRevoked, at: now))
            return try db.row(
                """
                UPDATE service_key SET revoked_at = COALESCE(revoked_at, ?2) WHERE id = ?1
                RETURNING \(RowReader.serviceKeyColumns)
                """, [id.text, now.milliseconds]
            ) { try $0.serviceKey() }
        }
    }

    package func noteUse(of id: ServiceKeyID, at now: Date) async throws {
        _ = try await write { db in
            try db.run(
                "UPDATE service_key SET last_used_at = ?2 WHERE id = ?1 AND COALESCE(last_used_at < ?2, TRUE)",
                [id.text, now.milliseconds])
        }
    }
}
