package import Foundation
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func add(_ key: ServiceKey) async throws {
        let statements = [
            PostgresStatement(
                """
                INSERT INTO service_key (\(PostgresReader.serviceKeyColumns))
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING
                """,
                [
                    key.id.text, key.name, key.hash, key.scopeList, key.appList, key.networkList,
                    key.createdAt.milliseconds, key.expiresAt?.milliseconds, key.lastUsedAt?.milliseconds,
                    key.revokedAt?.milliseconds,
                ]),
            // A repetition finds its own row, by the hash of a random secret.
            PostgresStatement("SELECT 1 FROM service_key WHERE id = $1 AND hash = $2", [key.id.text, key.hash]),
        ]
        guard try await write(statements).last?.isEmpty == false else {
            throw StoreError.damaged(detail: "a random id was assigned twice")
        }
    }

    package func serviceKey(_ id: ServiceKeyID) async throws -> ServiceKey? {
        try await read("SELECT \(PostgresReader.serviceKeyColumns) FROM service_key WHERE id = $1", [id.text])
            .value { try $0.serviceKey() }
    }

    package func serviceKeys(
        after position: Int?, limit: Int
    ) async throws -> (page: [ServiceKey], position: Int?) {
        let limit = max(0, limit)
        let found = try await read(
            """
            SELECT number, \(PostgresReader.serviceKeyColumns) FROM service_key WHERE number > $1
            ORDER BY number LIMIT $2
            """, [Int64(position ?? 0), Int64(limit + 1)]
        ).values { (Int(try $0.integer()), try $0.serviceKey()) }
        return (found.prefix(limit).map(\.1), found.count > limit ? found.prefix(limit).last?.0 : nil)
    }

    package func revokeServiceKey(_ id: ServiceKeyID, at now: Date) async throws -> ServiceKey? {
        // The key first: a session that is added meanwhile finds it revoked, or is found.
        let results = try await write([
            PostgresStatement(
                """
                UPDATE service_key SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1
                RETURNING \(PostgresReader.serviceKeyColumns)
                """, [id.text, now.milliseconds]),
            Self.endingSessions(
                actingFor: AdministrationActor.serviceKey(id.text).text, Revocation(reason: .actorRevoked, at: now)),
        ])
        return try results[0].value { try $0.serviceKey() }
    }

    package func noteUse(of id: ServiceKeyID, at now: Date) async throws {
        try await write(
            "UPDATE service_key SET last_used_at = $2 WHERE id = $1 AND COALESCE(last_used_at < $2, TRUE)",
            [id.text, now.milliseconds])
    }
}
