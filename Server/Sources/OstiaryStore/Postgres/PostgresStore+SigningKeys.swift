package import Foundation
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func signingKeys(of app: AppName, at now: Date) async throws -> [StoredSigningKey] {
        try await read(
            """
            SELECT app, kid, algorithm, sealed_private_key, created_at, retires_at FROM signing_key
            WHERE app = $1 AND (retires_at IS NULL OR retires_at > $2)
            ORDER BY created_at DESC, number DESC
            """, [app.text, now.milliseconds]
        ).values { row in
            StoredSigningKey(
                app: try row.value(AppName.init), kid: try row.text(), algorithm: try row.text(),
                sealedPrivateKey: try row.bytes(), createdAt: try row.date(), retiresAt: try row.optionalDate())
        }
    }

    package func add(
        _ key: StoredSigningKey, retiringOthersAt: Date, onlyIf condition: SigningKeyCondition
    ) async throws -> Bool {
        let (excluding, times): (String, [Date]) =
            switch condition {
            case .always: ("FALSE", [])
            case .isFirst: ("(retires_at IS NULL OR retires_at > $7)", [key.createdAt])
            case .followsKey(let start, let end):
                ("retires_at IS NULL AND created_at > $7 AND created_at <= $8", [start, end])
            }
        let parameters: [any PostgresParameter] = [
            key.app.text, key.kid, key.algorithm, key.sealedPrivateKey, key.createdAt.milliseconds,
            key.retiresAt?.milliseconds,
        ]
        let statements = [
            // Nodes that add one together run one after the other, and the later ones see the first one's rows. Reads
            // continue.
            PostgresStatement("LOCK TABLE signing_key IN SHARE ROW EXCLUSIVE MODE"),
            PostgresStatement(
                """
                INSERT INTO signing_key (app, kid, algorithm, sealed_private_key, created_at, retires_at)
                SELECT $1, $2, $3, $4, $5, $6
                WHERE NOT EXISTS (SELECT 1 FROM signing_key WHERE app = $1 AND \(excluding))
                ON CONFLICT (app, kid) DO NOTHING
                """,
                parameters + times.map { $0.milliseconds as any PostgresParameter }),
            PostgresStatement(
                """
                UPDATE signing_key SET retires_at = $1
                WHERE app = $2 AND (retires_at IS NULL OR retires_at > $1)
                    AND number < (SELECT number FROM signing_key WHERE app = $2 AND kid = $3)
                """, [retiringOthersAt.milliseconds, key.app.text, key.kid]),
            PostgresStatement("SELECT 1 FROM signing_key WHERE app = $1 AND kid = $2", [key.app.text, key.kid]),
        ]
        return try await transaction { try await $0.commit(after: statements).last?.isEmpty == false }
    }
}
