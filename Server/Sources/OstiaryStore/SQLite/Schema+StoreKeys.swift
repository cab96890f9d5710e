extension Schema {
    /// The keys that the store itself has, each sealed with an encryption key.
    static let storeKeys = """
        CREATE TABLE store_key (
            name TEXT PRIMARY KEY NOT NULL,
            sealed BLOB NOT NULL,
            created_at INTEGER NOT NULL
        );
        """
}
