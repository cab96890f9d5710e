import Foundation
import GRDB
import OstiaryEngine

/// The accounts in a ViewVault database: an SQLite file with a table `user`, opened read-only.
///
/// Local accounts come before those of Auth0, whose usernames are only labels and must not take the name that another
/// account signs in with.
struct ViewVaultDatabase: AccountSource {
    private static let columns = [
        "id", "username", "email", "full_name", "hashed_password", "is_active", "is_admin", "auth0_user_id",
        "auth_provider",
    ]
    private static let isSocial = """
        (lower(coalesce(nullif(trim(auth_provider), ''), \
        CASE WHEN coalesce(auth0_user_id, '') = '' THEN 'local' ELSE 'auth0' END)) <> 'local')
        """

    private let path: String
    private let database: DatabaseQueue
    private let total: Int
    private var readCount = 0
    private var readsSocial = false
    private var position = Int64.min

    init(path: String) throws {
        self.path = path
        var configuration = Configuration()
        configuration.readonly = true
        (database, total) = try Self.reading(path) {
            // Checked first, because SQLite would only report that it cannot open the file.
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw AdministrationProblem("\(path) cannot be read")
            }
            let database = try DatabaseQueue(path: path, configuration: configuration)
            let total = try database.read { db in
                let present = try Set(Row.fetchAll(db, sql: "PRAGMA table_info(user)").map { $0["name"] as String })
                guard !present.isEmpty else { throw AdministrationProblem("\(path) has no table user") }
                if let missing = Self.columns.first(where: { !present.contains($0) }) {
                    throw AdministrationProblem("the table user of \(path) has no column \(missing)")
                }
                return try Int.fetchOne(db, sql: "SELECT count(*) FROM user") ?? 0
            }
            return (database, total)
        }
    }

    var progress: Double? { total == 0 ? 1 : min(1, Double(readCount) / Double(total)) }

    mutating func nextPage() throws -> [SourceRecord]? {
        let rows = try Self.reading(path) {
            try database.read { [readsSocial, position] db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT rowid AS row_number, \(Self.columns.joined(separator: ", ")) FROM user
                        WHERE rowid > ?1 AND \(Self.isSocial) = ?2 ORDER BY rowid LIMIT ?3
                        """, arguments: [position, readsSocial, ControlCommand.pageSize])
            }
        }
        guard let last = rows.last else {
            guard !readsSocial else { return nil }
            (readsSocial, position) = (true, .min)
            return try nextPage()
        }
        position = last["row_number"]
        readCount += rows.count
        return rows.map { row in
            var user = ViewVaultUser(row)
            let record = Result { () throws(AdministrationProblem) in try user.record() }
            return SourceRecord(place: user.place, record: record, changes: user.changes)
        }
    }

    private static func reading<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as DatabaseError {
            throw AdministrationProblem(
                "\(path) cannot be read: \(error.message ?? "SQLite code \(error.resultCode.rawValue)")")
        }
    }
}
