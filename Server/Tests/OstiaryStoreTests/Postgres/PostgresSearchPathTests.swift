import OstiaryEngine
import OstiaryPostgres
@testable import OstiaryStore
import PostgresServer
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct PostgresSearchPathTests {
    private func open(_ settings: PostgresSettings) async throws -> PostgresStore {
        try await PostgresStore.open(settings, system: .system, log: .silent)
    }

    private func sessions(_ store: PostgresStore) async throws -> String? {
        try await store.read("SELECT relnamespace::regnamespace::text FROM pg_class WHERE oid = to_regclass('session')")
            .value { try $0.text() }
    }

    @Test func `PT-39: says where the tables are, with what is temporary last`() async throws {
        try await PostgresServer.shared().withSettings { settings in
            let store = try await open(settings)
            let path = try await store.read("SELECT current_setting('search_path')").value { try $0.text() }
            #expect(path == "public,pg_temp")
            #expect(try await store.hasOpenSearchPath == false)
            await store.close()
        }
    }

    @Test func `PT-39: a schema of the user's name takes no table's place`() async throws {
        try await PostgresServer.shared().withDatabase { database in
            let settings = try PostgresSettings(url: database.url("pool_size=1"))
            let first = try await open(settings)
            // As another user who may create schemas could; and with a search path of the role, set before this
            // server's.
            let user = try #require(try await first.read("SELECT current_user::text").value { try $0.text() })
            try await first.write("CREATE SCHEMA \"\(user)\"")
            try await first.write("CREATE TABLE \"\(user)\".session (LIKE public.session)")
            await first.close()
            let second = try await open(settings)
            #expect(try await sessions(second) == "public")
            await second.close()
        }
    }

    @Test func `PT-39: tables in another schema are not begun anew, and are found where the URL names it`() async throws
    {
        try await PostgresServer.shared().withDatabase { database in
            let plain = try PostgresSettings(url: database.url("pool_size=1"))
            let pool = PostgresPool(plain, log: .silent)
            _ = try await pool.write("CREATE SCHEMA house")
            await pool.close()
            let named = try PostgresSettings(
                url: database.url("pool_size=1&options=-csearch_path%3Dhouse,pg_temp"))
            let first = try await open(named)
            #expect(try await sessions(first) == "house")
            await first.close()
            await #expect(
                throws: StoreError.unsuitable(setting: "search_path", needs: "house,pg_temp: the tables are there")
            ) { try await open(plain).close() }
            let again = try await open(named)
            await again.close()
        }
    }

    @Test func `PT-39: sees that a pooler leaves the path open`() async throws {
        try await PostgresServer.shared().withDatabase { database in
            let store = try await open(try PostgresSettings(url: database.url("pool_size=1&pooler=transaction")))
            #expect(try await store.hasOpenSearchPath)
            await store.close()
        }
    }
}
