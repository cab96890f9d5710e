extension Schema {
    /// The keys of the admin API, and the answers to its repeatable requests.
    static let serviceKeys = """
        CREATE TABLE service_key (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            -- A keyed hash of the secret.
            hash BLOB NOT NULL,
            -- Lists, separated by spaces.
            scopes TEXT NOT NULL,
            apps TEXT NOT NULL,
            networks TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            last_used_at INTEGER,
            revoked_at INTEGER
        );

        -- Keyed hashes of the request and of its body; the answer is sealed, and null while the request is performed.
        CREATE TABLE idempotent_request (
            hash BLOB PRIMARY KEY NOT NULL,
            body_hash BLOB NOT NULL,
            claim TEXT NOT NULL,
            claimed_until INTEGER NOT NULL,
            answer BLOB,
            expires_at INTEGER NOT NULL
        );
        CREATE INDEX idempotent_request_expiry ON idempotent_request (expires_at);
        """
}
