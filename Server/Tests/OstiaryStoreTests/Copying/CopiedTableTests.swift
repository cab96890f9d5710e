import GRDB
@testable import OstiaryStore
import Testing

@Suite struct CopiedTableTests {
    /// A table that is added to the schema has to be added to the copy.
    @Test func `knows every table and column of SQLite`() throws {
        let database = try DatabaseQueue()
        try Schema.migrate(database, path: ":memory:")
        let schema = try database.read { db in
            let tables = try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM sqlite_master
                    WHERE type = 'table' AND name NOT IN ('grdb_migrations', 'sqlite_sequence')
                    """)
            return try Dictionary(
                uniqueKeysWithValues: tables.map { table in
                    let columns = try db.columns(in: table)
                    return (table, Set(columns.map { Self.column($0.name, $0.type) }))
                })
        }
        let copied = Dictionary(uniqueKeysWithValues: CopiedTable.all.map { ($0.name, Set($0.columns)) })
        #expect(copied == schema.filter { !CopiedTable.derived.contains($0.key) })
    }

    @Test func `orders rows by columns that are unique together`() throws {
        let database = try DatabaseQueue()
        try Schema.migrate(database, path: ":memory:")
        try database.read { db in
            for table in CopiedTable.all {
                let isUnique = try db.table(table.name, hasUniqueKey: table.keys.map(\.name))
                #expect(isUnique, "\(table.name)")
            }
        }
    }

    @Test func `knows each table once and after those that it refers to`() throws {
        let database = try DatabaseQueue()
        try Schema.migrate(database, path: ":memory:")
        try database.read { db in
            var before: Set<String> = []
            for table in CopiedTable.all {
                for reference in try db.foreignKeys(on: table.name) {
                    #expect(before.contains(reference.destinationTable), "\(table.name)")
                }
                #expect(before.insert(table.name).inserted)
            }
        }
    }

    private static func column(_ name: String, _ type: String) -> CopiedTable.Column {
        let kind: CopiedTable.Column.Kind =
            switch type {
            case "INTEGER": .integer
            case "BOOLEAN": .bool
            case "BLOB": .bytes
            default: .text
            }
        return CopiedTable.Column(name: name, kind: kind)
    }
}
