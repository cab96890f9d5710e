extension PostgresSchema {
    /// Statistics, and the activity of accounts: see ``Schema/statistics``.
    ///
    /// - `statistic`, `active_accounts`: transactions that count at the same time use different slots, so that they do not wait
    ///   for each other.
    /// - `account_activity.previous_on`: the day before the last change, so that the change can answer it: what RETURNING
    ///   gives is the new row. The same holds for `session.previous_used_at`.
    static let statistics = [
        """
        ALTER TABLE audit_event
            ADD COLUMN method text COLLATE "C", ADD COLUMN factor text COLLATE "C", ADD COLUMN is_new_account boolean
        """,
        "ALTER TABLE session ADD COLUMN previous_used_at bigint",
        """
        CREATE TABLE statistic (
            app text COLLATE "C" NOT NULL,
            starts_at bigint NOT NULL,
            series text COLLATE "C" NOT NULL,
            operation text COLLATE "C" NOT NULL,
            method text COLLATE "C" NOT NULL,
            factor text COLLATE "C" NOT NULL,
            outcome text COLLATE "C" NOT NULL,
            slot bigint NOT NULL,
            count bigint NOT NULL,
            PRIMARY KEY (app, starts_at, series, operation, method, factor, outcome, slot)
        ) WITH (fillfactor = 70)
        """,
        "CREATE INDEX statistic_start ON statistic (starts_at)",
        """
        CREATE TABLE active_accounts (
            app text COLLATE "C" NOT NULL,
            period text COLLATE "C" NOT NULL,
            starts_on bigint NOT NULL,
            slot bigint NOT NULL,
            count bigint NOT NULL,
            PRIMARY KEY (app, period, starts_on, slot)
        ) WITH (fillfactor = 50)
        """,
        "CREATE INDEX active_accounts_start ON active_accounts (starts_on)",
        """
        CREATE TABLE account_activity (
            app text COLLATE "C" NOT NULL,
            account_id text COLLATE "C" NOT NULL,
            last_sign_in_at bigint,
            active_on bigint NOT NULL,
            previous_on bigint,
            PRIMARY KEY (app, account_id),
            FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE
        ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)
        """,
        """
        CREATE TABLE statistics_position (
            source text COLLATE "C" PRIMARY KEY,
            position bigint NOT NULL
        )
        """,
        """
        INSERT INTO statistics_position (source, position)
        SELECT 'audit_event', max(number) FROM audit_event HAVING max(number) IS NOT NULL
        """,
    ]
}
