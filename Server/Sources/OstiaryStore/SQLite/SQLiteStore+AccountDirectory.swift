import Foundation
import GRDB
package import OstiaryCore
package import OstiaryEngine

extension SQLiteStore {
    package func details(of id: AccountID, in app: AppName) async throws -> AccountDetails? {
        try await read { db in
            try db.row(
                "SELECT \(RowReader.detailColumns) FROM account a WHERE a.app = ?1 AND a.id = ?2", [app.text, id.text],
                read: { try $0.accountDetails() })
        }
    }

    package func accounts(
        from source: AccountSource, in app: AppName, after position: AccountPosition?, limit: Int
    ) async throws -> [ListedAccount] {
        let listing = AccountListing(source, after: position)
        let limit = max(1, limit)
        let sql = listing.statement(details: RowReader.detailColumns, limit: limit, in: .sqlite)
        let values = [app.text.databaseValue] + listing.values.map(\.databaseValue)
        return try await read { db in
            let rows = try db.rows(sql, ParameterValues(values)) { row in try row.listedAccount(in: source) }
            return Array(rows.prefix(limit))
        }
    }

    package func sessionHistory(
        of account: AccountID, in app: AppName, after position: Int?, limit: Int
    ) async throws -> [(position: Int, session: Session)] {
        try await read { db in
            try db.rows(
                """
                SELECT s.number, \(RowReader.sessionColumns) FROM session s
                WHERE s.app = ?1 AND s.account_id = ?2 AND s.number > ?3 ORDER BY s.number LIMIT ?4
                """, [app.text, account.text, position ?? 0, max(1, limit)]
            ) { row in (position: Int(try row.integer()), session: try row.session()) }
        }
    }
}

extension RowReader {
    static var detailColumns: String { detailColumns(joinedBy: "group_concat(f.kind)") }
}

extension ColumnReader {
    /// Reads an account's number and its details.
    mutating func listedAccount(in source: AccountSource) throws -> ListedAccount {
        let number = try integer()
        let details = try accountDetails()
        return ListedAccount(details: details, position: source.position(of: details.account, number: number))
    }
}

extension AccountListing.Value {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .text(let text): text.databaseValue
        case .integer(let integer): integer.databaseValue
        }
    }
}
