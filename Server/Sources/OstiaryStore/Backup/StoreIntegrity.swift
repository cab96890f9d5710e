import GRDB

/// The checks that SQLite makes of a whole database.
enum StoreIntegrity {
    /// Reads every page, row and index.
    ///
    /// - Returns: The first problem, in words without a row's content; nil if there is none.
    static func firstProblem(in db: Database) throws -> String? {
        if let problem = try problems(in: db, limit: 1).first { return problem }
        return try orphans(in: db).first.map { "rows of \($0.table) refer to rows that are missing" }
    }

    /// Returns at most `limit` problems of pages, rows and indexes: SQLite's texts, which name pages, tables and indexes.
    static func problems(in db: Database, limit: Int = 20) throws -> [String] {
        let lines = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(limit))")
        return lines == ["ok"] ? [] : lines.map { String($0.prefix { $0 != "\n" }.prefix(200)) }
    }

    /// Returns the tables with rows whose foreign key has no row, and the numbers of these rows.
    static func orphans(in db: Database) throws -> [(table: String, count: Int)] {
        var counts: [String: Int] = [:]
        let rows = try Row.fetchCursor(db, sql: "PRAGMA foreign_key_check")
        while let row = try rows.next() { counts[row[0], default: 0] += 1 }
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
