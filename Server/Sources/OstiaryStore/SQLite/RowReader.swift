import Foundation
import GRDB

/// A reader of SQLite rows. It throws where GRDB's own accessors would trap.
struct RowReader: ColumnReader {
    private let row: Row
    private var index = 0

    init(_ row: Row) { self.row = row }

    mutating func optionalText() throws -> String? {
        switch next() {
        case .null: nil
        case .string(let text): text
        default: throw mismatch
        }
    }

    mutating func optionalInteger() throws -> Int64? {
        switch next() {
        case .null: nil
        case .int64(let integer): integer
        default: throw mismatch
        }
    }

    mutating func bool() throws -> Bool { try integer() != 0 }
    mutating func optionalBool() throws -> Bool? { try optionalInteger().map { $0 != 0 } }

    mutating func optionalBytes() throws -> [UInt8]? {
        switch next() {
        case .null: nil
        case .blob(let data): Array(data)
        default: throw mismatch
        }
    }

    private mutating func next() -> DatabaseValue.Storage {
        defer { index += 1 }
        return (row[index] as DatabaseValue).storage
    }

    var mismatch: StoreError { .damaged(detail: "column \(index)") }
}

extension Database {
    /// Returns the rows of a cached statement, each read by `read`.
    func rows<Value>(
        _ sql: String, _ arguments: StatementArguments = [], read: (inout RowReader) throws -> Value
    ) throws -> [Value] {
        let cursor = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
        var values: [Value] = []
        while let row = try cursor.next() {
            var reader = RowReader(row)
            values.append(try read(&reader))
        }
        return values
    }

    /// Returns the first row of a cached statement.
    func row<Value>(
        _ sql: String, _ arguments: StatementArguments, read: (inout RowReader) throws -> Value
    ) throws -> Value? {
        try rows(sql, arguments, read: read).first
    }

    /// Runs a cached statement and returns the number of changed rows, not counting those that foreign keys changed.
    @discardableResult
    func run(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try cachedStatement(sql: sql).execute(arguments: arguments)
        return changesCount
    }
}
