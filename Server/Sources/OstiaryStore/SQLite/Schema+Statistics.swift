extension Schema {
    /// Statistics, and the activity of accounts.
    ///
    /// - `audit_event.method`, `factor`: null for events that are no attempts to sign in, and for those of earlier versions.
    /// - `statistic`: see ``HourlyCount``; counts of the same key in several slots are added.
    /// - `active_accounts`: the number of accounts that were active in the day, the week or the month that begins on a
    ///   day; days are numbered from 1 January 1970.
    /// - `account_activity`: a table of its own, so that a sign-in changes neither the account's revision nor the cached
    ///   sessions.
    /// - `statistics_position`: the last audit event that is counted.
    static let statistics = """
        ALTER TABLE audit_event ADD COLUMN method TEXT;
        ALTER TABLE audit_event ADD COLUMN factor TEXT;
        ALTER TABLE audit_event ADD COLUMN is_new_account BOOLEAN;

        CREATE TABLE statistic (
            app TEXT NOT NULL,
            starts_at INTEGER NOT NULL,
            series TEXT NOT NULL,
            operation TEXT NOT NULL,
            method TEXT NOT NULL,
            factor TEXT NOT NULL,
            outcome TEXT NOT NULL,
            slot INTEGER NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (app, starts_at, series, operation, method, factor, outcome, slot)
        ) WITHOUT ROWID;
        CREATE INDEX statistic_start ON statistic (starts_at);

        CREATE TABLE active_accounts (
            app TEXT NOT NULL,
            period TEXT NOT NULL,
            starts_on INTEGER NOT NULL,
            slot INTEGER NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (app, period, starts_on, slot)
        ) WITHOUT ROWID;
        CREATE INDEX active_accounts_start ON active_accounts (starts_on);

        CREATE TABLE account_activity (
            app TEXT NOT NULL,
            account_id TEXT NOT NULL,
            last_sign_in_at INTEGER,
            active_on INTEGER NOT NULL,
            PRIMARY KEY (app, account_id),
            FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE
        ) WITHOUT ROWID;

        CREATE TABLE statistics_position (
            source TEXT PRIMARY KEY NOT NULL,
            position INTEGER NOT NULL
        ) WITHOUT ROWID;
        -- Events of earlier versions name no method.
        INSERT INTO statistics_position (source, position)
        SELECT 'audit_event', max(number) FROM audit_event HAVING max(number) IS NOT NULL;
        """
}
