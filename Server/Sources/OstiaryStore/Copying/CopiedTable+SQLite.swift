import Foundation
import GRDB

/// Reading and writing a table's rows in SQLite.
extension CopiedTable {
    /// Returns at most `limit` rows in key order, after the row with that key.
    func rows(in db: Database, after key: [CopiedValue]?, limit: Int) throws -> [[CopiedValue]] {
        let sql = page(afterKey: key != nil) { _ in "?" }
        let arguments = StatementArguments((key ?? []).map(\.databaseValue) + [limit.databaseValue])
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
        var values: [[CopiedValue]] = []
        while let row = try rows.next() {
            values.append(try columns.enumerated().map { try CopiedValue(row[$0.offset], of: $0.element, in: self) })
        }
        return values
    }

    func add(_ rows: [[CopiedValue]], to db: Database) throws {
        let names = columns.map(\.name).joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let statement = try db.cachedStatement(sql: "INSERT INTO \(name) (\(names)) VALUES (\(places))")
        for row in rows { try statement.execute(arguments: StatementArguments(row.map(\.databaseValue))) }
    }

    /// Returns the greatest number that a row of the table ever had; 0 if it had none.
    func greatestNumber(in db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [name]) ?? 0
    }

    /// Sets the number after which the next row is numbered.
    func setNumbering(in db: Database, above number: Int64) throws {
        try db.execute(sql: "UPDATE sqlite_sequence SET seq = ? WHERE name = ?", arguments: [number, name])
        guard db.changesCount == 0 else { return }
        try db.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", arguments: [name, number])
    }

    func isEmpty(in db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM \(name))") ?? true
    }
}

extension CopiedValue {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .text(let text): text.databaseValue
        case .integer(let integer): integer.databaseValue
        case .bool(let bool): bool.databaseValue
        case .bytes(let bytes): Data(bytes).databaseValue
        }
    }

    fileprivate init(_ value: DatabaseValue, of column: CopiedTable.Column, in table: CopiedTable) throws {
        self =
            switch (column.kind, value.storage) {
            case (_, .null): .null
            case (.text, .string(let text)): .text(text)
            case (.integer, .int64(let integer)): .integer(integer)
            case (.bool, .int64(let integer)) where integer == 0 || integer == 1: .bool(integer == 1)
            case (.bytes, .blob(let bytes)): .bytes(Array(bytes))
            default: throw StoreError.damaged(detail: "\(table.name).\(column.name)")
            }
    }
}
