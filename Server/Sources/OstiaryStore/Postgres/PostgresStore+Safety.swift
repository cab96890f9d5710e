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

    /// The server's settings by which it can lose what it confirmed, each as `name = value`.
    ///
    /// - Throws: ``StoreError``.
    public func unsafeSettings() async throws -> [String] {
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
