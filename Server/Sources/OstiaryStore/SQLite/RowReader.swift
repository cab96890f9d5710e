import Foundation
import GRDB
import GRDBSQLite

/// A reader of the row at which a SQLite statement stands. It throws where GRDB's own accessors would trap.
struct RowReader: ColumnReader {
    private let statement: SQLiteStatement
    private var index: Int32 = 0

    init(_ statement: SQLiteStatement) { self.statement = statement }

    mutating func optionalText() throws -> String? {
        let column = next()
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return nil
        case SQLITE_TEXT:
            guard let bytes = sqlite3_column_text(statement, column) else { throw mismatch }
            let count = Int(sqlite3_column_bytes(statement, column))
            return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
        default: throw mismatch
        }
    }

    mutating func optionalInteger() throws -> Int64? {
        let column = next()
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return nil
        case SQLITE_INTEGER: return sqlite3_column_int64(statement, column)
        default: throw mismatch
        }
    }

    mutating func bool() throws -> Bool { try integer() != 0 }
    mutating func optionalBool() throws -> Bool? { try optionalInteger().map { $0 != 0 } }

    mutating func optionalBytes() throws -> [UInt8]? {
        let column = next()
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return nil
        case SQLITE_BLOB:
            let count = Int(sqlite3_column_bytes(statement, column))
            // An empty blob has no address.
            guard let bytes = sqlite3_column_blob(statement, column) else { return [] }
            return Array(UnsafeRawBufferPointer(start: bytes, count: count))
        default: throw mismatch
        }
    }

    private mutating func next() -> Int32 {
        defer { index += 1 }
        return index
    }

    var mismatch: StoreError { .damaged(detail: "column \(index)") }
}
