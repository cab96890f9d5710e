import Foundation
import OstiaryPostgres
import PostgresServer
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct UnreachableTests {
    /// Returns the reason that there is no connection; nil if there is one.
    private func reason(_ url: String, deadline: Duration = .seconds(30)) async throws -> PostgresError.Unreachable? {
        let pool = try pool(url, deadline: deadline)
        defer { Task { await pool.close() } }
        do {
            _ = try await pool.read("SELECT 1")
            return nil
        } catch PostgresError.unreachable(let reason) { return reason }
    }

    @Test func `says that nobody is there`() async throws {
        let port = try Listener(backlog: 0).port  // Closed again.
        guard case .noServer = try await reason("postgres://a:b@127.0.0.1:\(port)/d") else {
            Issue.record("it was not refused")
            return
        }
    }

    @Test func `says that nobody answers`() async throws {
        let hole = try Listener()
        let reason = try await reason("postgres://a:b@127.0.0.1:\(hole.port)/d")
        #expect(reason == .noServer("127.0.0.1 does not answer in time"))
    }

    @Test func `says that the password is wrong`() async throws {
        try await PostgresServer.shared().withDatabase { database in
            let url = database.url.replacing(/:[^:@]+@/, with: ":wrong@")
            let reason = try await reason(url)
            #expect(reason == .notAllowed(SQLState("28P01")))
        }
    }

    @Test func `says that there is no such database`() async throws {
        try await PostgresServer.shared().withDatabase { database in
            let url = database.url.replacing("/\(database.name)", with: "/nowhere")
            let reason = try await reason(url)
            #expect(reason == .noSuchDatabase)
        }
    }

    @Test func `says that the server does not speak TLS`() async throws {
        try await PostgresServer.shared().withDatabase { database in
            guard case .tls = try await reason(database.url("sslmode=require")) else {
                Issue.record("it was not for TLS")
                return
            }
        }
    }

    @Test func `says that there is no server that takes writes`() async throws {
        try await PostgresServer.shared().withDatabase { database in
            try await database.administer("ALTER DATABASE \(database.name) SET default_transaction_read_only = on")
            #expect(try await reason(database.url) == .readOnly)
            #expect(try await reason(database.url("target_session_attrs=any")) == nil)
        }
    }

    @Test func `says that the server has no connection left`() async throws {
        try await PostgresServer.shared().withDatabase { database in
            try await database.administer("ALTER DATABASE \(database.name) CONNECTION LIMIT 0")
            #expect(try await reason(database.url) == .tooManyConnections)
        }
    }

    @Test func `makes do with the connections that the server gives`() async throws {
        try await withPool("pool_size=8") { pool, database in
            try await database.administer("ALTER DATABASE \(database.name) CONNECTION LIMIT 2")
            try await withThrowingTaskGroup { group in
                for n in 0..<50 {
                    group.addTask {
                        let number = try await pool.number("SELECT $1::int8", [n])
                        #expect(number == Int64(n))
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `goes on to the next server where one is away or silent`() async throws {
        try await PostgresServer.shared().withDatabase { database in
            let (nobody, hole) = (try Listener(backlog: 0).port, try Listener())
            let url = database.url.replacing("@", with: "@127.0.0.1:\(nobody),127.0.0.1:\(hole.port),")
            let pool = try pool(url)
            #expect(try await pool.number("SELECT 1") == 1)
            await pool.close()
        }
    }

    @Test func `connects anew where the server no longer takes writes`() async throws {
        try await withPool("pool_size=2") { pool, database in
            _ = try await pool.write("CREATE TABLE t (a int8)")
            _ = try await pool.write("SET default_transaction_read_only = on")
            _ = try await pool.write("INSERT INTO t VALUES ($1)", [1])
            #expect(try await pool.number("SELECT count(*) FROM t") == 1)
        }
    }

    @Test func `repeats nothing of the URL`() {
        #expect(throws: PostgresSettings.Problem.self) { try PostgresSettings(url: "postgres://u:geheim@h:x y/d?a=b") }
        do { _ = try PostgresSettings(url: "postgres://u:geheim@h/d?nonsense=1") } catch {
            #expect(!error.description.contains("geheim"))
        }
    }
}
