package import Foundation
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func storeKey(_ name: String, orAdding sealed: [UInt8], at now: Date) async throws -> [UInt8] {
        let known = try await storeKey(name)
        if let known { return known }
        try await write(
            "INSERT INTO store_key (name, sealed, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            [name, sealed, now.milliseconds])
        return try await storeKey(name) ?? sealed
    }

    private func storeKey(_ name: String) async throws -> [UInt8]? {
        try await read("SELECT sealed FROM store_key WHERE name = $1", [name]).value { try $0.bytes() }
    }

    package func sealedValues(
        _ kind: SealedValue.Kind, after position: SealedValue.Position?, limit: Int
    ) async throws -> [SealedValue] {
        let column = SealedColumn(kind)
        let keys = position.map(Self.values) ?? []
        return try await read(column.page(isFirst: position == nil) { "$\($0)" }, keys + [limit])
            .values { try column.read(&$0) }
    }

    /// One row in a transaction of its own: several would be locked in another order than by the deletion of an account.
    package func replace(_ value: SealedValue, with sealed: [UInt8]) async throws -> Bool {
        let column = SealedColumn(value.kind)
        let parameters: [any PostgresParameter] = [sealed, value.bytes] + Self.values(value.position)
        let rows = try await write("\(column.replacement { "$\($0)" }) RETURNING 1", parameters)
        return !rows.isEmpty
    }

    private static func values(_ position: SealedValue.Position) -> [any PostgresParameter] {
        var values: [any PostgresParameter] = position.texts
        if let number = position.number { values.append(number) }
        if let hash = position.hash { values.append(hash) }
        return values
    }
}
