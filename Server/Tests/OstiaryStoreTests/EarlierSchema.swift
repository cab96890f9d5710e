/// Rows that programs of every version wrote, in the columns that each of them had.
enum EarlierSchema {
    static let rows = [
        """
        INSERT INTO account (
            app, id, email, password_hash, roles, is_active, provider, is_email_verified, credential_version, created_at)
        VALUES ('vici', '7', 'jo@example.com', '$2b$10$hash', '["admin"]', TRUE, 'local', TRUE, 0, 0)
        """,
        """
        INSERT INTO session (
            id, app, account_id, created_at, last_used_at, idle_seconds, idle_ends_at, ends_at, generation,
            generation_issued_at)
        VALUES ('s1', 'vici', '7', 0, 0, 60, 60000, 60000, 0, 0)
        """,
    ]
}
