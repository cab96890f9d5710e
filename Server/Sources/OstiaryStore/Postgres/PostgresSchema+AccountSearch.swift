extension PostgresSchema {
    /// The columns and indexes by which administrators search accounts.
    ///
    /// In the collation "C" `lower()` changes ASCII letters alone, as canonical forms do, and an index has texts in the order of
    /// their bytes. The table of roles is derived from the column, and only by triggers: no statement forgets it, and earlier
    /// programs keep it too.
    static let accountSearch = [
        """
        ALTER TABLE account
            ADD COLUMN updated_at bigint,
            -- Null where the app's rules decide.
            ADD COLUMN is_phone_number_verified boolean
        """,
        "CREATE INDEX account_email_prefix ON account (app, lower(email), number) WHERE email IS NOT NULL",
        "CREATE INDEX account_username_prefix ON account (app, lower(username), number) WHERE username IS NOT NULL",
        "CREATE INDEX account_full_name_prefix ON account (app, lower(full_name), number) WHERE full_name IS NOT NULL",
        "CREATE INDEX account_provider ON account (app, provider, created_at, number)",
        "CREATE INDEX account_created ON account (app, created_at, number)",
        "CREATE INDEX account_disabled ON account (app, created_at, number) WHERE NOT is_active",
        "CREATE INDEX factor_totp ON factor (app, account_id) WHERE kind = 'totp'",
        "CREATE INDEX factor_passkey ON factor (app, account_id) WHERE kind = 'passkey'",

        // The roles that accounts have in every scope.
        """
        CREATE TABLE account_role (
            app text COLLATE "C" NOT NULL,
            role text COLLATE "C" NOT NULL,
            number bigint NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            PRIMARY KEY (app, role, number)
        )
        """,
        // For the deletion of an account. It has no order, so that no plan reads all roles in the order of the accounts.
        "CREATE INDEX account_role_account ON account_role USING hash (number)",
        """
        INSERT INTO account_role (app, role, number)
        SELECT DISTINCT a.app, r.role, a.number
        FROM account a CROSS JOIN LATERAL json_array_elements_text(a.roles::json) AS r (role)
        WHERE a.roles <> '[]' AND strpos(r.role, '@') = 0
        """,
        """
        CREATE FUNCTION derive_account_roles() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'UPDATE' THEN
                DELETE FROM account_role WHERE number = OLD.number;
            END IF;
            INSERT INTO account_role (app, role, number)
            SELECT DISTINCT NEW.app, r.role, NEW.number
            FROM json_array_elements_text(NEW.roles::json) AS r (role) WHERE strpos(r.role, '@') = 0;
            RETURN NULL;
        END
        $$
        """,
        """
        CREATE TRIGGER account_role_added AFTER INSERT ON account
        FOR EACH ROW WHEN (NEW.roles <> '[]') EXECUTE FUNCTION derive_account_roles()
        """,
        """
        CREATE TRIGGER account_role_changed AFTER UPDATE OF roles ON account
        FOR EACH ROW WHEN (NEW.roles <> OLD.roles) EXECUTE FUNCTION derive_account_roles()
        """,
    ]
}
