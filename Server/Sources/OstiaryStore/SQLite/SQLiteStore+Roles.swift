import GRDB
package import OstiaryEngine

extension SQLiteStore {
    package func roles(in app: AppName, after name: String?, limit: Int) async throws -> [StoredRole] {
        try await read { db in
            try db.rows(
                "SELECT \(RowReader.roleColumns) FROM role WHERE app = ?1 AND name > ?2 ORDER BY name LIMIT ?3",
                [app.text, name ?? "", max(0, limit)], read: { try $0.role() })
        }
    }

    package func roles(named names: [String], in app: AppName) async throws -> [StoredRole] {
        try await read { db in
            try names.compactMap { name in
                try db.row(
                    "SELECT \(RowReader.roleColumns) FROM role WHERE app = ?1 AND name = ?2", [app.text, name],
                    read: { try $0.role() })
            }
        }
    }

    package func add(_ role: StoredRole, limit: Int) async throws -> RoleAddition {
        try await write { db in
            let exists = try db.row(
                "SELECT 1 FROM role WHERE app = ?1 AND name = ?2", [role.app.text, role.name],
                read: { try $0.integer() })
            guard exists == nil else { return .exists }
            let count = try db.row(
                "SELECT COUNT(*) FROM role WHERE app = ?1", [role.app.text], read: { try $0.integer() })
            guard count ?? 0 < limit else { return .limitReached }
            try db.run(
                "INSERT INTO role (app, name, permissions) VALUES (?1, ?2, ?3)",
                [role.app.text, role.name, try PermissionPatterns(role.permissions).text()])
            return .added
        }
    }

    package func replace(_ role: StoredRole, from previous: StoredRole?) async throws -> Bool {
        try await write { db in
            if let previous {
                let kept = try db.row(
                    "SELECT \(RowReader.roleColumns) FROM role WHERE app = ?1 AND name = ?2",
                    [role.app.text, role.name], read: { try $0.role() })
                guard kept == previous || kept == role else { return false }
            }
            return try db.run(
                "UPDATE role SET permissions = ?1 WHERE app = ?2 AND name = ?3",
                [try PermissionPatterns(role.permissions).text(), role.app.text, role.name]) == 1
        }
    }

    package func removeRole(_ name: String, in app: AppName) async throws -> Bool {
        try await write { try $0.run("DELETE FROM role WHERE app = ?1 AND name = ?2", [app.text, name]) == 1 }
    }
}
