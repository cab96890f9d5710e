import GRDB

/// The numbered migration steps from an empty database to the current schema. A released step never changes.
enum Schema {
    /// Migrates a database, each step in a transaction of its own.
    ///
    /// - Throws: ``StoreError/newerSchema(path:)``; nothing has changed then.
    static func migrate(_ database: any DatabaseWriter, path: String) throws {
        guard try !database.unsafeRead({ try steps.hasBeenSuperseded($0) }) else {
            throw StoreError.newerSchema(path: path)
        }
        try steps.migrate(database)
    }

    static func isCurrent(_ db: Database) throws -> Bool {
        try steps.hasCompletedMigrations(db) && !steps.hasBeenSuperseded(db)
    }

    static var steps: DatabaseMigrator {
        var steps = DatabaseMigrator()
        steps.registerMigration(
            "0001 accounts, sessions, codes, attempts, audit, outbox, keys", foreignKeyChecks: .immediate
        ) { db in
            try db.execute(sql: accounts)
            try db.execute(sql: sessions)
            try db.execute(sql: codes)
            try db.execute(sql: logs)
        }
        // The account table is recreated: SQLite cannot drop its old uniqueness. Source:
        // sqlite.org/lang_altertable.html §7.
        steps.registerMigration("0002 provider issuers, proven emails, tickets, attachments") { db in
            try db.execute(sql: accountsByIssuer)
            try db.execute(sql: singleUseRecords)
        }
        steps.registerMigration("0003 actors of audit events") { db in
            try db.execute(sql: "ALTER TABLE audit_event ADD COLUMN actor TEXT")
        }
        steps.registerMigration("0004 issued signing keys, withdrawn refresh tokens") { db in
            try db.execute(sql: sessionSafeguards)
        }
        steps.registerMigration("0005 consecutive failures, known networks") { db in
            try db.execute(sql: attemptsInARow)
            try db.execute(sql: knownNetworks)
        }
        steps.registerMigration("0006 second factors, authentication of sessions") { db in
            try db.execute(sql: secondFactors)
            try db.execute(sql: "ALTER TABLE session ADD COLUMN authentication TEXT NOT NULL DEFAULT ''")
        }
        steps.registerMigration("0007 channels of password resets") { db in
            try db.execute(sql: "ALTER TABLE account ADD COLUMN password_reset_channel TEXT")
        }
        steps.registerMigration("0008 statistics") { db in
            try db.execute(sql: Self.statistics)
        }
        steps.registerMigration("0009 search of accounts") { db in
            try db.execute(sql: accountSearch)
        }
        steps.registerMigration("0010 account attributes") { db in
            try db.execute(sql: "ALTER TABLE account ADD COLUMN attributes TEXT NOT NULL DEFAULT '{}'")
        }
        steps.registerMigration("0011 service keys, repeatable requests") { db in
            try db.execute(sql: serviceKeys)
        }
        steps.registerMigration("0012 roles, settled messages, details of audit events, actors of sessions") { db in
            try db.execute(sql: administration)
        }
        steps.registerMigration("0013 endpoints, events, deliveries") { db in
            for statement in events { try db.execute(sql: statement) }
        }
        steps.registerMigration("0014 recognized devices") { db in
            try db.execute(sql: devices)
        }
        steps.registerMigration("0015 keys of sessions") { db in
            try db.execute(sql: "ALTER TABLE session ADD COLUMN bound_key TEXT")
        }
        steps.registerMigration("0016 attested keys") { db in
            try db.execute(sql: appKeys)
        }
        steps.registerMigration("0017 history of sign-ins") { db in
            try db.execute(sql: signInHistory)
        }
        steps.registerMigration("0018 keys of the store") { db in
            try db.execute(sql: storeKeys)
        }
        steps.registerMigration("0019 lists of event deliveries") { db in
            try db.execute(sql: eventDeliveryLists)
        }
        // Of an account whose thousands of sessions have ended, those that have not are found without reading the others.
        steps.registerMigration("0020 sessions of accounts that are not revoked") { db in
            try db.execute(
                sql: "CREATE INDEX session_unrevoked ON session (app, account_id) WHERE revoked_at IS NULL")
        }
        return steps
    }

    private static let accounts = """
        CREATE TABLE account (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            app TEXT NOT NULL,
            id TEXT NOT NULL,
            email TEXT,
            username TEXT,
            phone_number TEXT,
            full_name TEXT,
            password_hash TEXT,
            roles TEXT NOT NULL,
            is_active BOOLEAN NOT NULL CHECK (is_active IN (TRUE, FALSE)),
            provider TEXT NOT NULL,
            provider_subject TEXT,
            credential_version INTEGER NOT NULL,
            -- Grows with every change of the row.
            revision INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL,
            UNIQUE (app, id),
            UNIQUE (app, number),
            UNIQUE (app, phone_number),
            UNIQUE (app, provider, provider_subject),
            CHECK (provider <> 'local' OR provider_subject IS NULL)
        );

        CREATE TRIGGER account_revision AFTER UPDATE ON account WHEN new.revision <= old.revision
        BEGIN SELECT RAISE(ABORT, 'an account changed and its revision did not'); END;

        CREATE INDEX account_hash_cost ON account (app, substr(password_hash, 5, 2)) WHERE password_hash IS NOT NULL;

        -- What signs in where a username is asked for: every username, and every local account's email, in canonical form.
        -- One table, so that no username can be another local account's email.
        CREATE TABLE account_name (
            app TEXT NOT NULL,
            name TEXT NOT NULL,
            account_id TEXT NOT NULL,
            PRIMARY KEY (app, name),
            FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE
        );
        CREATE INDEX account_name_account ON account_name (app, account_id);

        -- The greatest integer among an app's account ids.
        CREATE TABLE account_counter (
            app TEXT PRIMARY KEY NOT NULL,
            last_id INTEGER NOT NULL
        );
        """

    private static let sessions = """
        CREATE TABLE session (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            app TEXT NOT NULL,
            account_id TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            last_used_at INTEGER NOT NULL,
            idle_seconds INTEGER NOT NULL,
            idle_ends_at INTEGER NOT NULL,
            ends_at INTEGER NOT NULL,
            generation INTEGER NOT NULL,
            generation_issued_at INTEGER NOT NULL,
            -- Of the current generation; those before are in generation_use.
            first_used_at INTEGER,
            device_id TEXT,
            platform TEXT,
            os_version TEXT,
            app_version TEXT,
            address TEXT,
            user_agent TEXT,
            revoked_at INTEGER,
            revoke_reason TEXT,
            FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE,
            CHECK (idle_ends_at <= ends_at),
            CHECK (generation >= 0),
            CHECK ((revoked_at IS NULL) = (revoke_reason IS NULL))
        );
        CREATE INDEX session_account ON session (app, account_id);

        CREATE TABLE generation_use (
            session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
            generation INTEGER NOT NULL,
            first_used_at INTEGER NOT NULL,
            PRIMARY KEY (session, generation)
        ) WITHOUT ROWID;
        """

    private static let codes = """
        CREATE TABLE code (
            app TEXT NOT NULL,
            recipient BLOB NOT NULL,
            id TEXT NOT NULL,
            code_hash BLOB NOT NULL,
            expires_at INTEGER NOT NULL,
            tries_left INTEGER NOT NULL CHECK (tries_left >= 0),
            PRIMARY KEY (app, recipient),
            UNIQUE (app, id)
        );

        CREATE TABLE reset_token (
            app TEXT NOT NULL,
            recipient BLOB NOT NULL,
            hash BLOB NOT NULL,
            account_id TEXT,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (app, recipient),
            UNIQUE (app, hash),
            FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE
        );
        CREATE INDEX reset_token_account ON reset_token (app, account_id);

        CREATE TABLE attempt (
            name TEXT PRIMARY KEY NOT NULL,
            full_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    private static let logs = """
        CREATE TABLE audit_event (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            happened_at INTEGER NOT NULL,
            app TEXT NOT NULL,
            action TEXT NOT NULL,
            outcome TEXT NOT NULL,
            account_id TEXT,
            session_id TEXT,
            identifier TEXT,
            address TEXT,
            user_agent TEXT
        );
        CREATE INDEX audit_event_time ON audit_event (happened_at);

        CREATE TABLE message (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            app TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            due_at INTEGER NOT NULL,
            sealed BLOB NOT NULL
        );
        CREATE INDEX message_order ON message (created_at, number);

        CREATE TABLE signing_key (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            app TEXT NOT NULL,
            kid TEXT NOT NULL,
            algorithm TEXT NOT NULL,
            sealed_private_key BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            retires_at INTEGER,
            UNIQUE (app, kid)
        );
        """

    private static let accountsByIssuer = """
        CREATE TABLE new_account (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            app TEXT NOT NULL,
            id TEXT NOT NULL,
            email TEXT,
            username TEXT,
            phone_number TEXT,
            full_name TEXT,
            password_hash TEXT,
            roles TEXT NOT NULL,
            is_active BOOLEAN NOT NULL CHECK (is_active IN (TRUE, FALSE)),
            provider TEXT NOT NULL,
            -- Null for local accounts, and for imported ones until they sign in.
            provider_issuer TEXT,
            provider_subject TEXT,
            is_email_verified BOOLEAN NOT NULL CHECK (is_email_verified IN (TRUE, FALSE)),
            credential_version INTEGER NOT NULL,
            -- Grows with every change of the row.
            revision INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL,
            UNIQUE (app, id),
            UNIQUE (app, number),
            UNIQUE (app, phone_number),
            UNIQUE (app, provider_issuer, provider_subject),
            CHECK (provider <> 'local' OR (provider_subject IS NULL AND provider_issuer IS NULL)),
            CHECK (provider_issuer IS NULL OR provider_subject IS NOT NULL)
        );
        INSERT INTO new_account
        SELECT number, app, id, email, username, phone_number, full_name, password_hash, roles, is_active, provider,
            NULL, provider_subject, FALSE, credential_version, revision, created_at
        FROM account;
        DROP TABLE account;
        ALTER TABLE new_account RENAME TO account;

        CREATE UNIQUE INDEX account_imported_subject ON account (app, provider, provider_subject)
        WHERE provider_issuer IS NULL;
        CREATE INDEX account_hash_cost ON account (app, substr(password_hash, 5, 2)) WHERE password_hash IS NOT NULL;
        CREATE TRIGGER account_revision AFTER UPDATE ON account WHEN new.revision <= old.revision
        BEGIN SELECT RAISE(ABORT, 'an account changed and its revision did not'); END;
        """

    private static let attemptsInARow = """
        ALTER TABLE attempt ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
        -- When the wait after the last failure is over.
        ALTER TABLE attempt ADD COLUMN next_at INTEGER NOT NULL DEFAULT 0;
        """

    /// The networks from which accounts have signed in. Keyed hashes alone: of an account or its identifier, and of a
    /// network.
    private static let knownNetworks = """
        CREATE TABLE known_network (
            subject BLOB NOT NULL,
            network BLOB NOT NULL,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (subject, network)
        );
        """

    private static let secondFactors = """
        CREATE TABLE factor (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            app TEXT NOT NULL,
            account_id TEXT NOT NULL,
            id TEXT NOT NULL,
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            material BLOB NOT NULL,
            credential_id BLOB,
            counter INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            last_used_at INTEGER,
            UNIQUE (app, id),
            UNIQUE (app, credential_id),
            FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE
        );
        CREATE INDEX factor_account ON factor (app, account_id);

        -- Keyed hashes. A redeemed code is deleted, and all are deleted with the account's last factor.
        CREATE TABLE recovery_code (
            app TEXT NOT NULL,
            account_id TEXT NOT NULL,
            hash BLOB NOT NULL,
            PRIMARY KEY (app, account_id, hash),
            FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE
        ) WITHOUT ROWID;
        """

    private static let singleUseRecords = """
        CREATE TABLE ticket (
            app TEXT NOT NULL,
            kind TEXT NOT NULL,
            hash BLOB NOT NULL,
            payload BLOB NOT NULL,
            expires_at INTEGER NOT NULL,
            spent_at INTEGER,
            session_id TEXT,
            PRIMARY KEY (app, kind, hash),
            CHECK (session_id IS NULL OR spent_at IS NOT NULL)
        );

        CREATE TABLE session_attachment (
            session INTEGER PRIMARY KEY NOT NULL REFERENCES session (number) ON DELETE CASCADE,
            bytes BLOB NOT NULL,
            version INTEGER NOT NULL
        );
        """

    private static let sessionSafeguards = """
        ALTER TABLE session ADD COLUMN signing_key_issued_at INTEGER;
        -- Refresh tokens before this one were withdrawn by a change of password.
        ALTER TABLE session ADD COLUMN oldest_generation INTEGER NOT NULL DEFAULT 0;
        """
}
