import GRDB
import GRDBSQLite

/// The values of a statement's parameters `?1`, `?2` and so on.
struct ParameterValues: ExpressibleByArrayLiteral {
    private let values: [(any StatementBinding)?]

    init(arrayLiteral values: (any StatementBinding)?...) { self.values = values }

    init(_ values: [DatabaseValue]) { self.values = values }

    fileprivate func bind(to statement: SQLiteStatement, in db: Database) throws {
        guard sqlite3_bind_parameter_count(statement) == values.count else {
            throw DatabaseError(resultCode: .SQLITE_RANGE, message: "wrong number of parameters")
        }
        for (index, value) in values.enumerated() {
            let code =
                value?.bind(to: statement, at: Int32(index + 1)) ?? sqlite3_bind_null(statement, Int32(index + 1))
            guard code == SQLITE_OK else { throw db.failure(code) }
        }
    }
}

/// Cached statements, run by SQLite's own functions: for each row GRDB makes a dictionary of its columns, and for each
/// statement it looks for observers. Therefore no GRDB observer would be told of these changes; ``SessionCache`` asks SQLite.
extension Database {
    /// Returns the rows of a cached statement, each read by `read`.
    func rows<Value>(
        _ sql: String, _ parameters: ParameterValues = [], read: (inout RowReader) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try step(sql, parameters) { statement in
            var reader = RowReader(statement)
            values.append(try read(&reader))
        }
        return values
    }

    /// Returns the first row of a cached statement.
    func row<Value>(
        _ sql: String, _ parameters: ParameterValues, read: (inout RowReader) throws -> Value
    ) throws -> Value? {
        try rows(sql, parameters, read: read).first
    }

    /// Runs a cached statement and returns the number of changed rows, not counting those that foreign keys changed.
    @discardableResult
    func run(_ sql: String, _ parameters: ParameterValues = []) throws -> Int {
        try step(sql, parameters) { _ in }
        return Int(sqlite3_changes(sqliteConnection))
    }

    /// Begins or ends a transaction, by GRDB, which keeps account of them.
    func control(_ sql: String) throws { try cachedStatement(sql: sql).execute() }

    private func step(
        _ sql: String, _ parameters: ParameterValues, each body: (SQLiteStatement) throws -> Void
    ) throws {
        let statement = try cachedStatement(sql: sql).sqliteStatement
        // An error of the last run was thrown by it already. A statement that is not reset would keep its snapshot.
        defer { sqlite3_reset(statement) }
        try parameters.bind(to: statement, in: self)
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: try body(statement)
            case SQLITE_DONE: return
            case let code: throw failure(code)
            }
        }
    }

    /// Returns the error of the connection's last call. It names no parameters: they may be secrets.
    fileprivate func failure(_ code: Int32) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: sqlite3_errmsg(sqliteConnection).map { String(cString: $0) })
    }
}
