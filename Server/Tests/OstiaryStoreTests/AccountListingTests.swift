import GRDB
import OstiaryEngine
import Testing

@testable import OstiaryStore

/// The statements of account lists in SQLite; ``PlanTests`` has those in PostgreSQL.
@Suite struct AccountListingTests {
    @Test(arguments: [
        (AccountSource.all, "number>?"), (.role("editor"), "role=? AND number>?"),
        (.factor(.totp), "factor_totp (app=? AND account_id>?"),
        (.disabled, "account_disabled (app=? AND created_at>?"),
        (.provider("google", createdAfter: nil), "account_provider (app=? AND provider=? AND created_at>?"),
        (.createdAfter(noon), "account_created (app=? AND created_at>?"),
        (.text(.id, prefix: "a"), "id>? AND id<?"),
        (.text(.phoneNumber, prefix: "+"), "phone_number>? AND phone_number<?"),
        (.text(.email, prefix: "a"), "account_email_prefix (app=? AND <expr>>? AND <expr><?"),
        (.text(.username, prefix: "a"), "account_username_prefix (app=? AND <expr>>? AND <expr><?"),
        (.text(.fullName, prefix: "a"), "account_full_name_prefix (app=? AND <expr>>? AND <expr><?"),
    ])
    func `reads a list in the order of an index, from its position`(source: AccountSource, range: String) throws {
        let database = try DatabaseQueue()
        try Schema.migrate(database, path: ":memory:")
        let sql = AccountListing(source, after: nil)
            .statement(details: RowReader.detailColumns, limit: 200, in: .sqlite)
        let plan = try database.read { db in
            let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
            let listing = AccountListing(source, after: nil)
            let values = ["vici".databaseValue] + listing.values.map { _ in DatabaseValue.null }
            return try Row.fetchAll(statement, arguments: StatementArguments(values)).map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.contains(range) }, "\(plan)")
        #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
        #expect(plan.contains { $0.contains("factor_account (app=? AND account_id=?") }, "\(plan)")
    }
}
