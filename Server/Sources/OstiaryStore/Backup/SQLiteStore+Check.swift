import GRDB

extension SQLiteStore: CheckedStore {
    package func findings() async throws -> [StoreFinding] {
        try await snapshot { db in
            var findings = try StoreIntegrity.problems(in: db).map { problem in
                StoreFinding(
                    .problem, code: "damaged", subject: problem, count: 1,
                    remedy: "Stop the server, move the database away and restore the last backup.")
            }
            findings += try StoreIntegrity.orphans(in: db).map { .orphans($0.table, $0.count) }
            return findings
        }
    }

    package func accountCounts() async throws -> [(app: String, count: Int)] {
        try await snapshot { db in
            try Row.fetchAll(db, sql: "SELECT app, count(*) FROM account GROUP BY app ORDER BY app").map {
                ($0[0], $0[1])
            }
        }
    }

    /// Runs `body`, whose statements all see the same commits, on a read-only connection.
    private func snapshot<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
        do { return try await database.read(body) } catch { throw StoreError.translating(error) }
    }
}
