/// The prepared statements of a connection, by text and parameter types: with other types the same text is another
/// statement.
struct PreparedStatements {
    struct Key: Hashable {
        let sql: String
        let types: [UInt32]
    }

    /// A limit, so that dynamically composed texts, which are not intended, do not fill the server's memory.
    private static let limit = 500

    private var names: [Key: String] = [:]
    private var count = 0

    subscript(key: Key) -> String? { names[key] }

    /// Returns a name for a new statement; nil if the limit is reached.
    mutating func add(_ key: Key) -> String? {
        guard names.count < Self.limit else { return nil }
        // Never reuses a name: a statement whose preparation failed may exist nevertheless.
        count += 1
        let name = "s\(count)"
        names[key] = name
        return name
    }

    mutating func forget(_ key: Key) { names[key] = nil }
}
