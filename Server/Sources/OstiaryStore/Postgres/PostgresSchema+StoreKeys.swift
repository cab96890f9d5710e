extension PostgresSchema {
    /// The keys that the store itself has: see ``Schema/storeKeys``.
    static let storeKeys = [
        """
        CREATE TABLE store_key (
            name text COLLATE "C" PRIMARY KEY,
            sealed bytea NOT NULL,
            created_at bigint NOT NULL
        )
        """
    ]
}
