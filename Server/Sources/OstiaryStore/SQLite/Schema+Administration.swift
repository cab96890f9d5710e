extension Schema {
    /// Roles that are made through the administration, messages that have left the queue, details of audit events, sessions in
    /// which an administrator acts.
    ///
    /// - `message_record`: `recipient_hash` is a keyed hash. `sealed` is the content of a message that failed, until
    ///   `useful_until`.
    /// - `audit_event`: `details` is a JSON object of strings. The rows of an index are in the order of their numbers too.
    static let administration = """
        CREATE TABLE role (
            app TEXT NOT NULL,
            name TEXT NOT NULL,
            permissions TEXT NOT NULL,
            PRIMARY KEY (app, name)
        ) WITHOUT ROWID;

        ALTER TABLE message ADD COLUMN last_error TEXT;
        CREATE TABLE message_record (
            id TEXT PRIMARY KEY NOT NULL,
            app TEXT NOT NULL,
            channel TEXT,
            kind TEXT,
            recipient TEXT,
            recipient_hash BLOB,
            outcome TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            last_error TEXT,
            created_at INTEGER NOT NULL,
            settled_at INTEGER NOT NULL,
            useful_until INTEGER NOT NULL,
            sealed BLOB
        );
        CREATE INDEX message_record_app ON message_record (app, created_at, id);
        CREATE INDEX message_record_failed ON message_record (app, created_at, id) WHERE outcome = 'failed';
        CREATE INDEX message_record_recipient ON message_record (app, recipient_hash, created_at, id);
        CREATE INDEX message_record_time ON message_record (created_at);
        CREATE INDEX message_record_sealed ON message_record (useful_until) WHERE sealed IS NOT NULL;

        ALTER TABLE audit_event ADD COLUMN details TEXT;
        CREATE INDEX audit_event_app ON audit_event (app, happened_at);
        CREATE INDEX audit_event_account ON audit_event (app, account_id, happened_at) WHERE account_id IS NOT NULL;
        CREATE INDEX audit_event_action ON audit_event (app, action, happened_at);
        CREATE INDEX audit_event_refusal ON audit_event (app, outcome, happened_at) WHERE outcome <> 'ok';

        ALTER TABLE session ADD COLUMN actor TEXT;
        CREATE INDEX session_actor ON session (actor) WHERE actor IS NOT NULL;
        """
}
