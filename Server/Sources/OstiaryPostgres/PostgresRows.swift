internal import CPQ

/// The result of a statement.
package struct PostgresRows: Sendable, RandomAccessCollection {
    private let result: ServerResult
    /// The number of rows that the statement changed or returned.
    package let affected: Int

    init(_ result: ServerResult) {
        self.result = result
        affected = PQcmdTuples(result.pointer).flatMap { Int(String(cString: $0)) } ?? 0
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { Int(PQntuples(result.pointer)) }
    package subscript(index: Int) -> PostgresRow { PostgresRow(result: result, row: Int32(index)) }
}

/// A row, with its columns by position.
package struct PostgresRow: Sendable {
    fileprivate let result: ServerResult
    fileprivate let row: Int32

    package var columnCount: Int { Int(PQnfields(result.pointer)) }

    /// Returns a text column; nil for null.
    ///
    /// - Throws: ``PostgresError/mismatch(column:)`` if the column is not text.
    package func text(_ column: Int) throws(PostgresError) -> String? {
        guard let bytes = try bytes(column, of: [25, 1043, 1042, 19]) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .mismatch(column: column) }
        return text
    }

    /// Returns an integer column; nil for null.
    ///
    /// - Throws: ``PostgresError/mismatch(column:)`` if the column is not a `bigint`, `integer` or `smallint`.
    package func integer(_ column: Int) throws(PostgresError) -> Int64? {
        guard let bytes = try bytes(column, of: [20, 23, 21]), let first = bytes.first else { return nil }
        return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
    }

    /// Returns a boolean column; nil for null.
    ///
    /// - Throws: ``PostgresError/mismatch(column:)`` if the column is not a `boolean`.
    package func bool(_ column: Int) throws(PostgresError) -> Bool? {
        try bytes(column, of: [16]).map { $0.first == 1 }
    }

    /// Returns a binary column; nil for null.
    ///
    /// - Throws: ``PostgresError/mismatch(column:)`` if the column is not a `bytea`.
    package func bytes(_ column: Int) throws(PostgresError) -> [UInt8]? {
        try bytes(column, of: [17]).map { Array($0) }
    }

    /// Returns a column's bytes, which are valid as long as this row.
    private func bytes(_ column: Int, of types: [UInt32]) throws(PostgresError) -> UnsafeBufferPointer<UInt8>? {
        let index = Int32(truncatingIfNeeded: column)
        // A column that does not exist has type 0.
        guard types.contains(PQftype(result.pointer, index)), (0..<PQntuples(result.pointer)).contains(row) else {
            throw .mismatch(column: column)
        }
        guard PQgetisnull(result.pointer, row, index) == 0, let value = PQgetvalue(result.pointer, row, index) else {
            return nil
        }
        let count = Int(PQgetlength(result.pointer, row, index))
        return UnsafeBufferPointer(
            start: UnsafeRawPointer(value).assumingMemoryBound(to: UInt8.self), count: count)
    }
}

/// A result of libpq, cleared with its last reference.
///
/// Unchecked, because a result does not change once it is created: "PGresult objects are normally read-only after
/// creation, and so can be passed around freely between threads." Source: PostgreSQL documentation, 34.20.
final class ServerResult: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { PQclear(pointer) }
}
