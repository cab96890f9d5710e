extension Schema {
    /// The devices that accounts recognize.
    static let devices = """
        CREATE TABLE device (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            app TEXT NOT NULL,
            account_id TEXT NOT NULL,
            id TEXT NOT NULL,
            -- A keyed hash of the present secret.
            hash BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            last_used_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            presentations INTEGER NOT NULL,
            device_id TEXT,
            platform TEXT,
            os_version TEXT,
            app_version TEXT,
            address TEXT,
            user_agent TEXT,
            -- The permission to sign in without a second factor, and a keyed hash of the credentials it was given for.
            remembered_until INTEGER,
            remembered_for BLOB,
            UNIQUE (app, id),
            UNIQUE (app, hash),
            FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE,
            CHECK ((remembered_until IS NULL) = (remembered_for IS NULL))
        );
        CREATE INDEX device_account ON device (app, account_id);

        -- A change of the factors ends every permission that the account's devices have, for good.
        CREATE TRIGGER device_factor_added AFTER INSERT ON factor
        BEGIN
            UPDATE device SET remembered_until = NULL, remembered_for = NULL
            WHERE app = NEW.app AND account_id = NEW.account_id AND remembered_until IS NOT NULL;
        END;
        CREATE TRIGGER device_factor_removed AFTER DELETE ON factor
        BEGIN
            UPDATE device SET remembered_until = NULL, remembered_for = NULL
            WHERE app = OLD.app AND account_id = OLD.account_id AND remembered_until IS NOT NULL;
        END;

        -- The permissions of earlier versions, which were no property of a device.
        DELETE FROM ticket WHERE kind = 'remembered_device';
        """
}
