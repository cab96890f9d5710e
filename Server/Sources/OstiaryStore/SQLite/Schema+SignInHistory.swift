extension Schema {
    /// The properties of accounts' sign-ins that later ones are compared with, sealed.
    static let signInHistory = """
        CREATE TABLE sign_in_history (
            app TEXT NOT NULL,
            account_id TEXT NOT NULL,
            sealed BLOB NOT NULL,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (app, account_id),
            FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE
        );
        """
}
