extension PostgresSchema {
    /// Roles that are made through the administration, messages that have left the queue, details of audit events, sessions in
    /// which an administrator acts.
    ///
    /// - `role`: `added_by` is the operation that added it, so that its repetition knows its own.
    /// - `message_record`: `recipient_hash` is a keyed hash. `sealed` is the content of a message that failed, until
    ///   `useful_until`.
    /// - `audit_event`: `details` is a JSON object of strings. An index that an operator has built on every month beforehand is
    ///   used instead of a new one, see `Documentation/postgresql.md`.
    static let administration = [
        """
        CREATE TABLE role (
            app text COLLATE "C" NOT NULL,
            name text COLLATE "C" NOT NULL,
            permissions text NOT NULL,
            added_by uuid,
            PRIMARY KEY (app, name)
        )
        """,
        "ALTER TABLE message ADD COLUMN last_error text",
        """
        CREATE TABLE message_record (
            id text COLLATE "C" PRIMARY KEY,
            app text COLLATE "C" NOT NULL,
            channel text,
            kind text,
            recipient text,
            recipient_hash bytea,
            outcome text NOT NULL,
            attempts bigint NOT NULL,
            last_error text,
            created_at bigint NOT NULL,
            settled_at bigint NOT NULL,
            useful_until bigint NOT NULL,
            sealed bytea
        )
        """,
        "CREATE INDEX message_record_app ON message_record (app, created_at, id)",
        "CREATE INDEX message_record_failed ON message_record (app, created_at, id) WHERE outcome = 'failed'",
        "CREATE INDEX message_record_recipient ON message_record (app, recipient_hash, created_at, id)",
        "CREATE INDEX message_record_time ON message_record (created_at)",
        "CREATE INDEX message_record_sealed ON message_record (useful_until) WHERE sealed IS NOT NULL",
        // Another collation rewrites no row, and no index contained these columns.
        """
        ALTER TABLE audit_event
            ADD COLUMN details text,
            ALTER COLUMN account_id TYPE text COLLATE "C",
            ALTER COLUMN action TYPE text COLLATE "C",
            ALTER COLUMN outcome TYPE text COLLATE "C"
        """,
        "CREATE INDEX audit_event_app ON audit_event (app, happened_at, number)",
        """
        CREATE INDEX audit_event_account ON audit_event (app, account_id, happened_at, number)
        WHERE account_id IS NOT NULL
        """,
        "CREATE INDEX audit_event_action ON audit_event (app, action, happened_at, number)",
        """
        CREATE INDEX audit_event_refusal ON audit_event (app, outcome, happened_at, number) WHERE outcome <> 'ok'
        """,
        "ALTER TABLE session ADD COLUMN actor text COLLATE \"C\"",
        "CREATE INDEX session_actor ON session (actor) WHERE actor IS NOT NULL",
    ]
}
