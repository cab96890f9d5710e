import OstiaryPostgres

extension PostgresStore {
    /// Refuses an isolation in which a statement does not see what committed before it: a session that began while a password
    /// was changed would live on. Only through a pooler can it be another.
    ///
    /// - Throws: ``StoreError/unsuitable(setting:needs:)``.
    func checkIsolation() async throws {
        let setting = "default_transaction_isolation"
        let isSuitable = try await read("SELECT current_setting($1) = 'read committed'", [setting]).value {
            try $0.bool()
        }
        guard isSuitable == true else { throw StoreError.unsuitable(setting: setting, needs: "'read committed'") }
    }

    /// Whether a schema named after the user comes first in the search path, once there is one: whoever may make schemas could
    /// put tables and functions before ours. Only through a pooler, or by the URL's own options, can it be so.
    ///
    /// - Throws: ``StoreError``.
    package var hasOpenSearchPath: Bool {
        get async throws {
            try await read("SELECT current_setting('search_path') LIKE '%$user%'").value { try $0.bool() } == true
        }
    }

    /// Refuses to begin anew in one schema where another has the tables of this user: they were made with another search path,
    /// and nothing of what is in them would be found.
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

    /// The server's settings by which it can lose what it confirmed, each as `name = value`.
    ///
    /// - Throws: ``StoreError``.
    package func unsafeSettings() async throws -> [String] {
        // `current_setting` says what holds for this connection, with what the role and the database set.
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
