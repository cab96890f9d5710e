import OstiaryPostgres

extension PostgresStore {
    /// Refuses an isolation level in which a statement does not see earlier commits: a session that began during a
    /// change of password would stay valid. Only a pooler can set another level.
    ///
    /// - Throws: ``StoreError/unsuitable(setting:needs:)``.
    func checkIsolation() async throws {
        let setting = "default_transaction_isolation"
        let isSuitable = try await read("SELECT current_setting($1) = 'read committed'", [setting]).value {
            try $0.bool()
        }
        guard isSuitable == true else { throw StoreError.unsuitable(setting: setting, needs: "'read committed'") }
    }

    /// `true` if a schema named after the user comes first in the search path, if it exists: a role that may create
    /// schemas could place tables and functions before Ostiary's. Only a pooler, or the URL's own options, can cause
    /// this.
    ///
    /// - Throws: ``StoreError``.
    package var hasOpenSearchPath: Bool {
        get async throws {
            try await read("SELECT current_setting('search_path') LIKE '%$user%'").value { try $0.bool() } == true
        }
    }

    /// Refuses to start with an empty schema where another schema has tables of this user: they were created with
    /// another search path, and their data would not be found.
    ///
    /// - Throws: ``StoreError/unsuitable(setting:needs:)``.
    static func checkSchema(_ pool: PostgresPool) async throws {
        let other = try await pool.read(
            """
            SELECT nspname FROM pg_catalog.pg_class
            JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
            JOIN pg_catalog.pg_roles ON pg_roles.oid = relowner
            WHERE relname = 'schema_step' AND relkind = 'r' AND rolname = current_user
                AND to_regclass('schema_step') IS NULL
                -- Another path is one that was asked for.
                AND replace(current_setting('search_path'), ' ', '') = 'public,pg_temp'
            LIMIT 1
            """
        ).value { try $0.text() }
        guard let other else { return }
        throw StoreError.unsuitable(setting: "search_path", needs: "\(other),pg_temp: the tables are there")
    }

    /// Returns the server's settings by which it can lose acknowledged writes, each as `name = value`.
    ///
    /// - Throws: ``StoreError``.
    package func unsafeSettings() async throws -> [String] {
        // `current_setting` returns the connection's effective value, including the role's and the database's settings.
        let rows = try await read(
            """
            SELECT name, current_setting(name) FROM unnest($1::text[]) AS name
            WHERE current_setting(name) = 'off' OR (
                name = 'synchronous_commit' AND current_setting(name) = 'local'
                AND current_setting('synchronous_standby_names') <> '')
            ORDER BY name
            """, [["fsync", "full_page_writes", "synchronous_commit"]])
        return try rows.values { "\(try $0.text()) = \(try $0.text())" }
    }
}
