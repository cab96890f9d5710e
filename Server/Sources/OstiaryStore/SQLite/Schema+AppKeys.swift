extension Schema {
    /// The keys that App Attest has attested, and the sessions that are bound to them.
    static let appKeys = """
        CREATE TABLE app_key (
            app TEXT NOT NULL,
            id BLOB NOT NULL,
            public_key BLOB NOT NULL,
            app_id TEXT NOT NULL,
            counter INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            kept_until INTEGER NOT NULL,
            PRIMARY KEY (app, id)
        );
        CREATE INDEX app_key_expiry ON app_key (kept_until);

        CREATE TABLE session_app_key (
            session INTEGER PRIMARY KEY NOT NULL REFERENCES session (number) ON DELETE CASCADE,
            key_id BLOB NOT NULL
        );
        """
}
