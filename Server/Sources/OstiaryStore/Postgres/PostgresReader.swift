import OstiaryPostgres

struct PostgresReader: ColumnReader {
    private let row: PostgresRow
    private var index = -1

    init(_ row: PostgresRow) { self.row = row }

    mutating func optionalText() throws -> String? { try column(row.text) }
    mutating func optionalInteger() throws -> Int64? { try column(row.integer) }
    mutating func optionalBytes() throws -> [UInt8]? { try column(row.bytes) }

    mutating func optionalBool() throws -> Bool? { try column(row.bool) }

    mutating func bool() throws -> Bool {
        guard let value = try optionalBool() else { throw mismatch }
        return value
    }

    private mutating func column<Value>(_ read: (Int) throws(PostgresError) -> Value?) throws -> Value? {
        let index = next()
        do { return try read(index) } catch { throw mismatch }
    }

    private mutating func next() -> Int {
        index += 1
        return index
    }

    var mismatch: StoreError { .damaged(detail: "column \(index)") }
}

extension PostgresRows {
    /// Returns the rows, each read by `read`.
    func values<Value>(_ read: (inout PostgresReader) throws -> Value) throws -> [Value] {
        try map { row in
            var reader = PostgresReader(row)
            return try read(&reader)
        }
    }

    /// Returns the first row; nil if there is none.
    func value<Value>(_ read: (inout PostgresReader) throws -> Value) throws -> Value? {
        guard let row = first else { return nil }
        var reader = PostgresReader(row)
        return try read(&reader)
    }
}
