/// What one connection keeps prepared, by text and by its parameters' types: the same text means something else for others.
struct PreparedStatements {
    struct Key: Hashable {
        let sql: String
        let types: [UInt32]
    }

    /// So that texts made up as they are needed, which are not meant to be, do not fill the server's memory.
    private static let limit = 500

    private var names: [Key: String] = [:]
    private var count = 0

    subscript(key: Key) -> String? { names[key] }

    /// A name for one more; nil if there are enough.
    mutating func add(_ key: Key) -> String? {
        guard names.count < Self.limit else { return nil }
        // Never the same twice: what failed to be prepared may be there all the same.
        count += 1
        let name = "s\(count)"
        names[key] = name
        return name
    }

    mutating func forget(_ key: Key) { names[key] = nil }
}
