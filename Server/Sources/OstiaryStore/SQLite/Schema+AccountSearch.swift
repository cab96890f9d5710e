extension Schema {
    /// The columns and indexes by which administrators search accounts.
    ///
    /// `lower()` changes ASCII letters alone, as canonical forms do. The table of roles is derived from the column, and only by
    /// triggers: no statement forgets it.
    static let accountSearch = """
        ALTER TABLE account ADD COLUMN updated_at INTEGER;
        -- Null where the app's rules decide.
        ALTER TABLE account ADD COLUMN is_phone_number_verified BOOLEAN CHECK (is_phone_number_verified IN (TRUE, FALSE));

        CREATE INDEX account_email_prefix ON account (app, lower(email), number) WHERE email IS NOT NULL;
        CREATE INDEX account_username_prefix ON account (app, lower(username), number) WHERE username IS NOT NULL;
        CREATE INDEX account_full_name_prefix ON account (app, lower(full_name), number) WHERE full_name IS NOT NULL;
        CREATE INDEX account_provider ON account (app, provider, created_at, number);
        CREATE INDEX account_created ON account (app, created_at, number);
        CREATE INDEX account_disabled ON account (app, created_at, number) WHERE NOT is_active;
        -- Partial, so that no other statement prefers them to the index of an account's factors.
        CREATE INDEX factor_totp ON factor (app, account_id) WHERE kind = 'totp';
        CREATE INDEX factor_passkey ON factor (app, account_id) WHERE kind = 'passkey';

        -- The roles that accounts have in every scope.
        CREATE TABLE account_role (
            app TEXT NOT NULL,
            role TEXT NOT NULL,
            number INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            PRIMARY KEY (app, role, number)
        ) WITHOUT ROWID;
        CREATE INDEX account_role_account ON account_role (number);
        INSERT INTO account_role
        SELECT DISTINCT a.app, r.value, a.number FROM account a, json_each(a.roles) r
        WHERE a.roles <> '[]' AND instr(r.value, '@') = 0;
        CREATE TRIGGER account_role_added AFTER INSERT ON account WHEN new.roles <> '[]'
        BEGIN
            INSERT INTO account_role
            SELECT DISTINCT new.app, r.value, new.number FROM json_each(new.roles) r WHERE instr(r.value, '@') = 0;
        END;
        CREATE TRIGGER account_role_changed AFTER UPDATE OF roles ON account WHEN new.roles <> old.roles
        BEGIN
            DELETE FROM account_role WHERE number = old.number;
            INSERT INTO account_role
            SELECT DISTINCT new.app, r.value, new.number FROM json_each(new.roles) r WHERE instr(r.value, '@') = 0;
        END;
        """
}
