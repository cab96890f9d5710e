extension PostgresSchema {
    /// The properties of accounts' sign-ins that later ones are compared with: see ``Schema/signInHistory``.
    static let signInHistory = [
        """
        CREATE TABLE sign_in_history (
            app text COLLATE "C" NOT NULL,
            account_id text COLLATE "C" NOT NULL,
            sealed bytea NOT NULL,
            expires_at bigint NOT NULL,
            PRIMARY KEY (app, account_id),
            FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE
        ) WITH (fillfactor = 80)
        """,
        "CREATE INDEX sign_in_history_end ON sign_in_history (expires_at)",
    ]
}
