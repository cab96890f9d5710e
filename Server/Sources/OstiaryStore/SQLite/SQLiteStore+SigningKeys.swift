package import Foundation
import GRDB
package import OstiaryEngine

extension SQLiteStore {
    package func signingKeys(of app: AppName, at now: Date) async throws -> [StoredSigningKey] {
        try await read { db in
            try db.rows(
                """
                SELECT app, kid, algorithm, sealed_private_key, created_at, retires_at FROM signing_key
                WHERE app = ?1 AND (retires_at IS NULL OR retires_at > ?2)
                ORDER BY created_at DESC, number DESC
                """, [app.text, now.milliseconds]
            ) { row in
                StoredSigningKey(
                    app: try row.value(AppName.init), kid: try row.text(), algorithm: try row.text(),
                    sealedPrivateKey: try row.bytes(), createdAt: try row.date(), retiresAt: try row.optionalDate())
            }
        }
    }

    package func add(
        _ key: StoredSigningKey, retiringOthersAt: Date, onlyIf condition: SigningKeyCondition
    ) async throws -> Bool {
        let excluding: (condition: String, times: [Date])? =
            switch condition {
            case .always: nil
            case .isFirst: ("(retires_at IS NULL OR retires_at > ?2)", [key.createdAt])
            case .followsKey(let start, let end):
                ("retires_at IS NULL AND created_at > ?2 AND created_at <= ?3", [start, end])
            }
        return try await write { db in
            if let excluding {
                let hasOne = try db.row(
                    "SELECT 1 FROM signing_key WHERE app = ?1 AND \(excluding.condition) LIMIT 1",
                    ParameterValues([key.app.text.databaseValue] + excluding.times.map(\.milliseconds.databaseValue)),
                    read: { try $0.integer() })
                guard hasOne == nil else { return false }
            }
            try db.run(
                """
                UPDATE signing_key SET retires_at = ?1 WHERE app = ?2 AND (retires_at IS NULL OR retires_at > ?1)
                """, [retiringOthersAt.milliseconds, key.app.text])
            try db.run(
                """
                INSERT INTO signing_key (app, kid, algorithm, sealed_private_key, created_at, retires_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                """,
                [
                    key.app.text, key.kid, key.algorithm, Data(key.sealedPrivateKey), key.createdAt.milliseconds,
                    key.retiresAt?.milliseconds,
                ])
            return true
        }
    }
}
