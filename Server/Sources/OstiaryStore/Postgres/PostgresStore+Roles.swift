package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func roles(in app: AppName, after name: String?, limit: Int) async throws -> [StoredRole] {
        try await read(
            "SELECT \(PostgresReader.roleColumns) FROM role WHERE app = $1 AND name > $2 ORDER BY name LIMIT $3",
            [app.text, name ?? "", max(0, limit)]
        ).values { try $0.role() }
    }

    package func roles(named names: [String], in app: AppName) async throws -> [StoredRole] {
        try await read(
            "SELECT \(PostgresReader.roleColumns) FROM role WHERE app = $1 AND name = ANY ($2)", [app.text, names]
        ).values { try $0.role() }
    }

    package func add(_ role: StoredRole, limit: Int) async throws -> RoleAddition {
        try await add(role, limit: limit, as: WriteOperation(system))
    }

    func add(_ role: StoredRole, limit: Int, as operation: WriteOperation) async throws -> RoleAddition {
        let results = try await write([
            PostgresStatement(
                """
                INSERT INTO role (app, name, permissions, added_by)
                SELECT $1, $2, $3, $4::uuid WHERE (SELECT count(*) FROM role WHERE app = $1) < $5
                ON CONFLICT (app, name) DO NOTHING
                """,
                [role.app.text, role.name, try PermissionPatterns(role.permissions).text(), operation.id, limit]),
            // Queried, not taken from the number of affected rows: a repetition finds the role that the first try added.
            PostgresStatement(
                "SELECT COALESCE(added_by = $3::uuid, FALSE) FROM role WHERE app = $1 AND name = $2",
                [role.app.text, role.name, operation.id]),
        ])
        guard let isOwn = try results[1].value({ try $0.bool() }) else { return .limitReached }
        return isOwn ? .added : .exists
    }

    package func replace(_ role: StoredRole, from previous: StoredRole?) async throws -> Bool {
        let replaced = try previous.map { try PermissionPatterns($0.permissions).text() }
        return try await !write(
            """
            UPDATE role SET permissions = $1
            WHERE app = $2 AND name = $3 AND ($4::text IS NULL OR permissions IN ($1, $4)) RETURNING 1
            """,
            [try PermissionPatterns(role.permissions).text(), role.app.text, role.name, replaced]
        ).isEmpty
    }

    package func removeRole(_ name: String, in app: AppName) async throws -> Bool {
        try await removeRole(name, in: app, as: WriteOperation(system))
    }

    func removeRole(_ name: String, in app: AppName, as operation: WriteOperation) async throws -> Bool {
        try await transaction { tx in
            switch try await tx.begin(operation) {
            case .repeated(let answer): return answer != nil
            case .first:
                let removed = try await tx.run("DELETE FROM role WHERE app = $1 AND name = $2", [app.text, name])
                if removed.affected > 0 { try await tx.remember(name, of: operation) }
                return removed.affected > 0
            }
        }
    }
}
