import Foundation
package import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func details(of id: AccountID, in app: AppName) async throws -> AccountDetails? {
        try await read(
            "SELECT \(PostgresReader.detailColumns) FROM account a WHERE a.app = $1 AND a.id = $2", [app.text, id.text]
        ).value { try $0.accountDetails() }
    }

    package func accounts(
        from source: AccountSource, in app: AppName, after position: AccountPosition?, limit: Int
    ) async throws -> [ListedAccount] {
        let listing = AccountListing(source, after: position)
        let limit = max(1, limit)
        let sql = listing.statement(details: PostgresReader.detailColumns, limit: limit, in: .postgres)
        let parameters: [any PostgresParameter] = [app.text] + listing.values.map(\.parameter)
        return try await Array(read(sql, parameters).values { try $0.listedAccount(in: source) }.prefix(limit))
    }

    package func sessionHistory(
        of account: AccountID, in app: AppName, after position: Int?, limit: Int
    ) async throws -> [(position: Int, session: Session)] {
        try await read(
            """
            SELECT s.number, \(PostgresReader.sessionColumns) FROM session s
            WHERE s.app = $1 AND s.account_id = $2 AND s.number > $3 ORDER BY s.number LIMIT $4
            """, [app.text, account.text, position ?? 0, max(1, limit)]
        ).values { row in (position: Int(try row.integer()), session: try row.session()) }
    }
}

extension PostgresReader {
    fileprivate static var detailColumns: String { detailColumns(joinedBy: "string_agg(f.kind, ',')") }
}

extension AccountListing.Value {
    fileprivate var parameter: any PostgresParameter {
        switch self {
        case .text(let text): text
        case .integer(let integer): integer
        }
    }
}
