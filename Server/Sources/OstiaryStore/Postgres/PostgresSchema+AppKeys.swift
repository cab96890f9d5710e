extension PostgresSchema {
    /// The keys that App Attest has attested, and the sessions that are bound to them.
    static let appKeys = [
        """
        CREATE TABLE app_key (
            app text COLLATE "C" NOT NULL,
            id bytea NOT NULL,
            public_key bytea NOT NULL,
            app_id text COLLATE "C" NOT NULL,
            counter bigint NOT NULL,
            created_at bigint NOT NULL,
            kept_until bigint NOT NULL,
            -- The operation that recorded the last use.
            used_by uuid,
            PRIMARY KEY (app, id)
        ) WITH (fillfactor = 80)
        """,
        "CREATE INDEX app_key_expiry ON app_key (kept_until)",
        """
        CREATE TABLE session_app_key (
            session bigint PRIMARY KEY REFERENCES session (number) ON DELETE CASCADE,
            key_id bytea NOT NULL
        )
        """,
    ]
}
