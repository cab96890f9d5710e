import OstiaryEngine

extension ColumnReader {
    /// The columns that ``role()`` reads.
    static var roleColumns: String { "app, name, permissions" }

    mutating func role() throws -> StoredRole {
        StoredRole(
            app: try value(AppName.init), name: try text(), permissions: try value(PermissionPatterns.init).patterns)
    }
}
