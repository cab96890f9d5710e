import Foundation
import GRDB
import Logging
import OstiaryCore
import OstiaryEngine
import OstiaryPostgres
@testable import OstiaryStore
import Synchronization
import PostgresServer
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct StoreCopyTests {
    /// Copies, and cancels the copy at its `steps`th progress report.
    @discardableResult
    private func copy(
        _ directory: TemporaryDirectory, to settings: PostgresSettings, pageSize: Int = 3, endingAfter steps: Int = .max
    ) async throws -> [StoreCopy.Verified] {
        let copy = try await StoreCopy(
            from: directory.database, to: settings, system: .system, log: .silent,
            pageSize: pageSize)
        let seen = Mutex(0)
        let result = await Task {
            try await copy.run { _ in
                let count = seen.withLock { seen in
                    seen += 1
                    return seen
                }
                if count == steps { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }.result
        try await copy.close()
        return try result.get()
    }

    /// Runs `body` with a separate pool on the target.
    private func withPool(_ settings: PostgresSettings, _ body: (PostgresPool) async throws -> Void) async throws {
        let pool = PostgresPool(settings, log: .silent)
        do { try await body(pool) } catch {
            await pool.close()
            throw error
        }
        await pool.close()
    }

    private func withSource(_ body: (TemporaryDirectory, PostgresSettings) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            try await FilledStore.make(at: directory.database)
            try await PostgresServer.shared().withSettings { try await body(directory, $0) }
        }
    }

    @Test func `copies every row of every table`() async throws {
        try await withSource { directory, settings in
            let verified = try await copy(directory, to: settings)
            #expect(verified.map(\.table) == CopiedTable.all.map(\.name))
            #expect(verified.allSatisfy { $0.rows > 0 && $0.checksum.utf8.count == 64 })
            try await open(settings)
            try await withPool(settings) { pool in
                for table in verified {
                    let rows = try await pool.read("SELECT count(*) FROM \(table.table)")
                    #expect(try rows.first?.integer(0) == Int64(table.rows))
                }
                // Every month with events has a table.
                let rest = try await pool.read("SELECT count(*) FROM audit_event_default")
                #expect(try rest.first?.integer(0) == 0)
            }
        }
    }

    @Test func `copies second factors, recovery codes and the authentication of sessions`() async throws {
        try await withTemporaryDirectory { directory in
            let source = try SQLiteStore(path: directory.database, system: .system)
            let account = try await source.addAccount()
            try await source.addSession("s1", of: account)
            for (id, credentialID) in [("f1", nil), ("f2", [0, 255])] as [(String, [UInt8]?)] {
                _ = try await source.enrol(.sample(id, of: account, credentialID: credentialID, session: "s1"))
            }
            _ = try await source.recordUse(of: FactorID("f1"), of: account.id, in: .named(), counter: 5, at: noon)
            let factors = try await source.factors(of: account.id, in: .named())
            let session = try await source.state("s1")
            #expect(factors.factors.count == 2 && factors.recoveryCodesLeft == 3)
            #expect(session?.session.authentication == .sample(.password, .totp))
            try await source.close()
            try await PostgresServer.shared().withSettings { settings in
                try await copy(directory, to: settings)
                let target = try await PostgresStore.open(settings, system: .system, log: .silent)
                #expect(try await target.factors(of: account.id, in: .named()) == factors)
                #expect(try await target.state("s1") == session)
                #expect(try await target.redeemRecoveryCode([1], of: account.id, in: .named(), notice: nil))
                _ = try await target.enrol(.sample("f3", of: account))
                #expect(
                    try await target.factors(of: account.id, in: .named()).factors.map(\.id.text) == ["f1", "f2", "f3"])
                await target.close()
            }
        }
    }

    @Test func `goes on where it was ended, wherever that was`() async throws {
        try await withSource { directory, settings in
            var ends = 0
            while true {
                do {
                    try await copy(directory, to: settings, endingAfter: 4)
                    break
                } catch is CancellationError {
                    ends += 1
                    #expect(ends < 100)
                    await #expect(throws: StoreCopyProblem.unfinished) { try await self.open(settings) }
                }
                guard ends < 100 else { return }
                if ends > 30 {
                    try await copy(directory, to: settings)
                    break
                }
            }
            #expect(ends > 10)
            try await open(settings)
        }
    }

    private func open(_ settings: PostgresSettings) async throws {
        let store = try await PostgresStore.open(
            settings, system: .system, log: .silent)
        do { try await store.checkCopy() } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    @Test func `numbers what is new above everything that ever was`() async throws {
        try await withSource { directory, settings in
            try await copy(directory, to: settings)
            try await withPool(settings) { pool in
                let next = try await pool.read("SELECT nextval(pg_get_serial_sequence('session', 'number'))")
                #expect(try next.first?.integer(0) == 15)
            }
        }
    }

    @Test func `refuses a database with rows that no copy brought`() async throws {
        try await withSource { directory, settings in
            try await open(settings)
            try await withPool(settings) { pool in
                _ = try await pool.write("INSERT INTO attempt (name, full_at) VALUES ('x', 1)")
            }
            await #expect(throws: StoreCopyProblem.occupied(table: "attempt")) {
                try await self.copy(directory, to: settings)
            }
        }
    }

    @Test func `refuses a database with a copy that is complete`() async throws {
        try await withSource { directory, settings in
            try await copy(directory, to: settings)
            await #expect(throws: StoreCopyProblem.finished) { try await self.copy(directory, to: settings) }
        }
    }

    @Test(arguments: [
        ("UPDATE session SET user_agent = 'x' WHERE number = 1", "session"),
        ("UPDATE message SET sealed = set_byte(sealed, 0, get_byte(sealed, 0) # 1) WHERE number = 2", "message"),
        ("DELETE FROM audit_event WHERE number = 3", "audit_event"),
        ("INSERT INTO attempt (name, full_at) VALUES ('zzz', 1)", "attempt"),
    ])
    func `notices what is different in the end`(change: String, table: String) async throws {
        try await withSource { directory, settings in
            // Late enough for all rows to be copied, and before they are compared.
            let pages = try await pageCount(of: directory, pageSize: 3)
            await #expect(throws: CancellationError.self) {
                try await self.copy(directory, to: settings, endingAfter: pages + 1)
            }
            try await withPool(settings) { pool in _ = try await pool.write(change) }
            await #expect(throws: StoreCopyProblem.different(table: table)) {
                try await self.copy(directory, to: settings)
            }
            await #expect(throws: StoreCopyProblem.unfinished) { try await self.open(settings) }
        }
    }

    /// Returns the number of progress reports before the comparison: one a table, one a page.
    private func pageCount(of directory: TemporaryDirectory, pageSize: Int) async throws -> Int {
        let source = try CopySource(path: directory.database)
        var count = CopiedTable.all.count
        for table in CopiedTable.all { count += (try await source.count(table) + pageSize - 1) / pageSize }
        try source.close()
        return count
    }

    /// A column that only PostgreSQL has needs a default; every other one has to be copied.
    @Test func `knows every table and column of PostgreSQL`() async throws {
        try await PostgresServer.shared().withSettings { settings in
            try await open(settings)
            try await withPool(settings) { pool in
                let rows = try await pool.read(
                    """
                    SELECT table_name::text, column_name::text, is_nullable = 'NO' AND column_default IS NULL
                        AND is_identity = 'NO'
                    FROM information_schema.columns WHERE table_schema = current_schema()
                    """)
                var columns: [String: Set<String>] = [:]
                var needed: [String: Set<String>] = [:]
                for row in rows {
                    let (table, column) = (try row.text(0) ?? "", try row.text(1) ?? "")
                    columns[table, default: []].insert(column)
                    if try row.bool(2) == true { needed[table, default: []].insert(column) }
                }
                for table in CopiedTable.all {
                    let names = Set(table.columns.map(\.name))
                    #expect(names.isSubset(of: columns[table.name] ?? []), "\(table.name)")
                    #expect((needed[table.name] ?? []).isSubset(of: names), "\(table.name)")
                }
                let known = Set(CopiedTable.all.map(\.name)).union(CopiedTable.derived).union([
                    "operation", "store_copy", "schema_step",
                ])
                let others = columns.keys.filter { !known.contains($0) && !$0.hasPrefix("audit_event_") }
                #expect(others.isEmpty, "\(others)")
            }
        }
    }
}
