package import Foundation
import GRDB
package import OstiaryEngine

extension SQLiteStore {
    package func storeKey(_ name: String, orAdding sealed: [UInt8], at now: Date) async throws -> [UInt8] {
        let known = try await read { try Self.storeKey(name, in: $0) }
        if let known { return known }
        return try await write { db in
            try db.run(
                "INSERT INTO store_key (name, sealed, created_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
                [name, Data(sealed), now.milliseconds])
            return try Self.storeKey(name, in: db) ?? sealed
        }
    }

    private static func storeKey(_ name: String, in db: Database) throws -> [UInt8]? {
        try db.row("SELECT sealed FROM store_key WHERE name = ?1", [name]) { try $0.bytes() }
    }

    package func sealedValues(
        _ kind: SealedValue.Kind, after position: SealedValue.Position?, limit: Int
    ) async throws -> [SealedValue] {
        let column = SealedColumn(kind)
        return try await read { db in
            let keys = position.map(Self.values) ?? []
            return try db.rows(
                column.page(isFirst: position == nil) { "?\($0)" },
                ParameterValues(keys + [limit.databaseValue])
            ) { try column.read(&$0) }
        }
    }

    package func replace(_ value: SealedValue, with sealed: [UInt8]) async throws -> Bool {
        let column = SealedColumn(value.kind)
        return try await write { db in
            let bytes = [Data(sealed).databaseValue, Data(value.bytes).databaseValue]
            try db.run(
                column.replacement { "?\($0)" }, ParameterValues(bytes + Self.values(value.position)))
            return db.changesCount > 0
        }
    }

    private static func values(_ position: SealedValue.Position) -> [DatabaseValue] {
        position.texts.map(\.databaseValue) + [position.number?.databaseValue].compactMap(\.self)
            + [position.hash.map { Data($0).databaseValue }].compactMap(\.self)
    }
}
