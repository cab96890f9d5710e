extension PostgresSchema {
    static let attemptsInARow = [
        "ALTER TABLE attempt ADD COLUMN failures bigint NOT NULL DEFAULT 0",
        // The end of the wait after the last failure.
        "ALTER TABLE attempt ADD COLUMN next_at bigint NOT NULL DEFAULT 0",
    ]

    /// The networks from which accounts have signed in. Keyed hashes alone: of an account or its identifier, and of a
    /// network.
    static let knownNetworks = [
        """
        CREATE TABLE known_network (
            subject bytea NOT NULL,
            network bytea NOT NULL,
            expires_at bigint NOT NULL,
            PRIMARY KEY (subject, network)
        )
        """,
        "CREATE INDEX known_network_end ON known_network (expires_at)",
    ]
}
