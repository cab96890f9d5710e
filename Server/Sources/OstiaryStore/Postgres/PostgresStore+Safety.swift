extension PostgresStore {
    /// The server's settings by which it can lose what it confirmed, each as `name = value`.
    ///
    /// - Throws: ``StoreError``.
    public func unsafeSettings() async throws -> [String] {
        // `current_setting` says what holds for this connection, with what the role and the database set.
        let rows = try await read(
            """
            SELECT name, current_setting(name) FROM unnest($1::text[]) AS name
            WHERE current_setting(name) = 'off' ORDER BY name
            """, [["fsync", "full_page_writes", "synchronous_commit"]])
        return try rows.values { "\(try $0.text()) = \(try $0.text())" }
    }
}
