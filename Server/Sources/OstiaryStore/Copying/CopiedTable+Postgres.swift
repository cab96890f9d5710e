import OstiaryPostgres

/// Reading a table's rows in PostgreSQL.
extension CopiedTable {
    /// The statement and parameters for at most `limit` rows in key order, after the row with that key.
    func pageStatement(after key: [CopiedValue]?, limit: Int) -> PostgresStatement {
        let parameters: [any PostgresParameter] = (key ?? []).map(\.parameter) + [limit]
        return PostgresStatement(page(afterKey: key != nil) { "$\($0)" }, parameters)
    }

    /// The query for the greatest number that a row of the table ever had; null if it had none.
    var lastNumber: String {
        """
        SELECT last_value FROM pg_catalog.pg_sequences
        WHERE format('%I.%I', schemaname, sequencename) = pg_get_serial_sequence('\(name)', 'number')
        """
    }
}

extension CopiedValue {
    /// A key's value as a statement's parameter. No key is null.
    fileprivate var parameter: any PostgresParameter {
        switch self {
        case .text(let text): text
        case .integer(let integer): integer
        case .bytes(let bytes): bytes
        case .bool(let bool): bool
        case .null: String?.none
        }
    }

    /// - Throws: ``StoreError/damaged(detail:)`` where a column is of another type.
    static func read(_ row: PostgresRow, _ columns: [CopiedTable.Column]) throws -> [CopiedValue] {
        do {
            var values: [CopiedValue] = []
            values.reserveCapacity(columns.count)
            for (index, column) in columns.enumerated() {
                switch column.kind {
                case .text: values.append(try row.text(index).map { .text($0) } ?? .null)
                case .integer: values.append(try row.integer(index).map { .integer($0) } ?? .null)
                case .bool: values.append(try row.bool(index).map { .bool($0) } ?? .null)
                case .bytes: values.append(try row.bytes(index).map { .bytes($0) } ?? .null)
                }
            }
            return values
        } catch {
            throw StoreError(error)
        }
    }
}
