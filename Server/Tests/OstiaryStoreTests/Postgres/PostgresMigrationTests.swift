import Foundation
import GRDB
import OstiaryCore
import OstiaryEngine
import OstiaryPostgres
@testable import OstiaryStore
import PostgresServer
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct PostgresMigrationTests {
    /// Runs `body` with an empty database and connections to it.
    private func withDatabase(_ body: (PostgresSettings, PostgresPool) async throws -> Void) async throws {
        try await PostgresServer.shared().withSettings { settings in
            let pool = PostgresPool(settings, log: .silent)
            do { try await body(settings, pool) } catch {
                await pool.close()
                throw error
            }
            await pool.close()
        }
    }

    private func open(_ settings: PostgresSettings) async throws {
        try await PostgresStore.open(settings, system: .system, log: .silent).close()
    }

    private func migration(
        _ pool: PostgresPool, _ settings: PostgresSettings, steps: [PostgresSchema.Step] = PostgresSchema.steps
    ) -> PostgresMigration {
        PostgresMigration(pool: pool, system: .system, database: settings.database, steps: steps)
    }

    private func integer(_ sql: String, _ pool: PostgresPool) async throws -> Int64? {
        try await pool.read(sql).value { try $0.integer() }
    }

    private func step(_ number: Int, oldestCompatible: Int, _ statements: String...) -> PostgresSchema.Step {
        PostgresSchema.Step(
            number: number, name: "step \(number)", oldestCompatible: oldestCompatible, statements: statements)
    }

    @Test func `takes every step once however many nodes begin at once`() async throws {
        try await withDatabase { settings, pool in
            _ = try await inParallel(8) { _ in try await open(settings) }
            #expect(try await integer("SELECT count(*) FROM schema_step", pool) == Int64(PostgresSchema.steps.count))
            try await open(settings)
        }
    }

    @Test func `numbers the steps from one without a gap`() {
        #expect(PostgresSchema.steps.map(\.number) == Array(1...PostgresSchema.steps.count))
        #expect(PostgresSchema.steps.allSatisfy { (1...$0.number).contains($0.oldestCompatible) })
    }

    @Test func `ST-11 survives being killed at each statement`() async throws {
        try await withDatabase { settings, pool in
            // The connection is killed at each statement when it is first reached. Sequences are not rolled back.
            var statements: [String] = []
            for (place, statement) in (PostgresSchema.steps[0].statements + ["SELECT 1"]).enumerated() {
                _ = try await pool.write("CREATE SEQUENCE kill_\(place)")
                let kill =
                    "SELECT CASE WHEN nextval('kill_\(place)') = 1 THEN pg_terminate_backend(pg_backend_pid()) END"
                statements += [kill, statement]
            }
            var steps = PostgresSchema.steps
            steps[0].statements = statements
            try await migration(pool, settings, steps: steps).run()
            let kills = statements.count / 2
            #expect(try await integer("SELECT last_value FROM kill_0", pool) == Int64(kills + 1))
            #expect(try await integer("SELECT last_value FROM kill_\(kills - 1)", pool) == 2)
            #expect(try await integer("SELECT count(*) FROM schema_step", pool) == Int64(steps.count))
            try await open(settings)
        }
    }

    @Test func `leaves nothing of a step that fails`() async throws {
        try await withDatabase { settings, pool in
            let steps = [step(1, oldestCompatible: 1, "CREATE TABLE one (a int)", "SELECT 1 / 0")]
            await #expect(throws: PostgresError.refused(SQLState("22012"), constraint: nil)) {
                try await migration(pool, settings, steps: steps).run()
            }
            let tables = try await integer("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", pool)
            #expect(tables == 0)
        }
    }

    @Test func `PT-03: brings the counts of the first version along, and lets its programs go on`() async throws {
        try await withDatabase { settings, pool in
            try await migration(pool, settings, steps: [PostgresSchema.steps[0]]).run()
            let counting = "INSERT INTO attempt (name, full_at, sweep_at) VALUES ($1, $2, $2)"
            _ = try await pool.write(counting, ["k", noon.after(60).milliseconds])
            let store = try await PostgresStore.open(settings, system: .system, log: .silent)
            let bucket = AttemptBucket(key: "k", limit: RateLimit(attempts: 1, perSeconds: 60))
            #expect(try await store.count([bucket], at: noon) == 60)
            // As a node of the first version does.
            _ = try await pool.write(counting, ["old", noon.after(60).milliseconds])
            let waits = AttemptBucket(key: "old", waits: FailureBackoff(free: 1, firstSeconds: 6))
            #expect(try await store.count([waits], at: noon) == nil)
            #expect(try await store.count([waits], at: noon) == 6)
            await store.close()
        }
    }

    @Test func `derives the roles of accounts, also of those that earlier programs change`() async throws {
        try await withDatabase { settings, pool in
            let before = try #require(PostgresSchema.steps.firstIndex { $0.name == "search of accounts" })
            try await migration(pool, settings, steps: Array(PostgresSchema.steps.prefix(before))).run()
            let adding = """
                INSERT INTO account (
                    app, id, roles, is_active, provider, is_email_verified, credential_version, created_at)
                VALUES ('vici', $1, $2, TRUE, 'local', FALSE, 0, 0)
                """
            _ = try await pool.write(adding, ["7", #"["admin","editor@a"]"#])
            let store = try await PostgresStore.open(settings, system: .system, log: .silent)
            // As a node of the version before does.
            _ = try await pool.write(adding, ["8", #"["admin"]"#])
            func admins() async throws -> [String] {
                try await store.accounts(from: .role("admin"), in: .named(), after: nil, limit: 10)
                    .map(\.details.account.id.text)
            }
            #expect(try await admins() == ["7", "8"])
            _ = try await pool.write("UPDATE account SET roles = '[]', revision = revision + 1 WHERE id = '7'")
            #expect(try await admins() == ["8"])
            #expect(try await store.accounts(from: .role("editor"), in: .named(), after: nil, limit: 10).isEmpty)
            await store.close()
        }
    }

    @Test func `brings sessions along without authentication, and lets programs add them that do not know it`()
        async throws
    {
        try await withDatabase { settings, pool in
            try await migration(pool, settings, steps: Array(PostgresSchema.steps.prefix(4))).run()
            _ = try await pool.write(
                """
                INSERT INTO account (
                    app, id, roles, is_active, provider, is_email_verified, credential_version, created_at)
                VALUES ('vici', '7', '[]', TRUE, 'local', FALSE, 0, 0)
                """)
            let adding = """
                INSERT INTO session (
                    id, app, account_id, created_at, last_used_at, idle_seconds, idle_ends_at, ends_at, generation,
                    generation_issued_at)
                VALUES ($1, 'vici', '7', 0, 0, 60, 60000, 60000, 0, 0)
                """
            _ = try await pool.write(adding, ["before"])
            let store = try await PostgresStore.open(settings, system: .system, log: .silent)
            // As a node of the version before does.
            _ = try await pool.write(adding, ["after"])
            for id in ["before", "after"] {
                #expect(try await store.state(id)?.session.authentication == AuthenticationContext())
            }
            let account = try #require(try await store.account(AccountID("7"), in: .named()))
            let outcome = try await store.enrol(.sample("f1", of: account, session: "before"))
            #expect(outcome == .enrolled(storedRecoveryCodes: true))
            #expect(try await store.state("after")?.session.revocation?.reason == .factorsChanged)
            await store.close()
        }
    }

    @Test func `brings messages and audit events along, and lets programs go on that know no roles of the store`()
        async throws
    {
        try await withDatabase { settings, pool in
            try await migration(pool, settings, steps: Array(PostgresSchema.steps.prefix(6))).run()
            // As nodes of the version before do, before and beside the step.
            func old(_ name: String) async throws {
                _ = try await pool.write(
                    """
                    INSERT INTO message (id, app, created_at, attempts, due_at, sealed)
                    VALUES ($1, 'vici', 1000, 3, 2000, '\\x0102')
                    """, [name])
                _ = try await pool.write(
                    """
                    INSERT INTO audit_event (happened_at, app, action, outcome, account_id)
                    VALUES (1000, 'vici', $1, 'wrong_credentials', '7')
                    """, [name])
            }
            try await old("before")
            let store = try await PostgresStore.open(settings, system: .system, log: .silent)
            try await old("after")
            for name in ["before", "after"] {
                let waiting = try #require(try await store.waitingMessage(name))
                #expect(waiting.message.attempts == 3 && waiting.lastError == nil)
                for query in [
                    try AuditQuery(apps: [.named()], account: AccountID("7"), action: name),
                    try AuditQuery(apps: [.named()], action: name, outcome: "wrong_credentials"),
                ] {
                    let events = try await store.events(query, after: nil, limit: 9).page
                    #expect(events.map(\.event.details) == [[:]])
                }
            }
            _ = try await pool.write("DELETE FROM message WHERE id = 'after'")
            #expect(try await store.messageRecord("after") == nil)
            await store.close()
        }
    }

    @Test func `uses the indexes that an operator has built on every month beforehand`() async throws {
        try await withDatabase { settings, pool in
            try await migration(pool, settings, steps: Array(PostgresSchema.steps.prefix(6))).run()
            _ = try await pool.write(
                "CREATE INDEX built ON audit_event_default (app, action, happened_at, number)")
            try await open(settings)
            let parent = try await pool.read(
                """
                SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhparent
                WHERE i.inhrelid = 'built'::regclass
                """
            ).value { try $0.text() }
            #expect(parent == "audit_event_action")
            #expect(
                try await integer("SELECT count(*) FROM pg_indexes WHERE tablename = 'audit_event_default'", pool) == 6)
        }
    }

    @Test func `refuses a database that is for newer programs alone`() async throws {
        try await withDatabase { settings, pool in
            try await open(settings)
            let steps = PostgresSchema.steps
            let next = step(steps.count + 1, oldestCompatible: steps.count + 1, "CREATE TABLE next (a int)")
            try await migration(pool, settings, steps: steps + [next]).run()
            await #expect {
                try await open(settings)
            } throws: { error in
                guard case StoreError.newerSchema(let path) = error else { return false }
                return path.contains(settings.database)
            }
        }
    }

    @Test func `goes on with a newer database that is made for it too`() async throws {
        try await withDatabase { settings, pool in
            let node = try await PostgresStore.open(settings, system: .system, log: .silent)
            let steps = PostgresSchema.steps
            let next = step(steps.count + 1, oldestCompatible: 1, "ALTER TABLE account ADD next text")
            try await migration(pool, settings, steps: steps + [next]).run()
            _ = try await node.addAccount()
            try await node.checkReadiness()
            await node.close()
            try await open(settings)
        }
    }

    @Test func `is not ready once the database is for newer programs alone`() async throws {
        try await withDatabase { settings, pool in
            let node = try await PostgresStore.open(settings, system: .system, log: .silent)
            try await node.checkReadiness()
            let steps = PostgresSchema.steps
            let next = step(steps.count + 1, oldestCompatible: steps.count + 1, "CREATE TABLE next (a int)")
            try await migration(pool, settings, steps: steps + [next]).run()
            await #expect(throws: StoreError.self) { try await node.checkReadiness() }
            await node.close()
        }
    }

    @Test func `waits for other nodes and for long steps without a limit of its own`() async throws {
        try await withDatabase { settings, pool in
            let unlimited = """
                SELECT 1 / CASE WHEN current_setting('lock_timeout') = '0' AND current_setting('statement_timeout') = '0'
                THEN 1 ELSE 0 END
                """
            try await migration(pool, settings, steps: [step(1, oldestCompatible: 1, unlimited)]).run()
        }
    }

    @Test func `lives beside another program's tables`() async throws {
        try await withDatabase { settings, pool in
            _ = try await pool.write("CREATE TABLE article (id bigint)")
            try await open(settings)
        }
    }

    @Test func `refuses another program's table under the name of ours`() async throws {
        try await withDatabase { settings, pool in
            _ = try await pool.write("CREATE TABLE ticket (id bigint)")
            await #expect(throws: StoreError.foreignTables(database: settings.database)) { try await open(settings) }
            #expect(try await integer("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", pool) == 1)
        }
    }

    @Test func `sorts every text in an index by its bytes`() async throws {
        try await withDatabase { settings, pool in
            try await open(settings)
            let others = try await pool.read(
                """
                SELECT c.relname::text || '.' || a.attname::text
                FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_collation l ON l.oid = a.attcollation
                JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE c.relkind = 'i' AND n.nspname = 'public' AND l.collname <> 'C'
                """
            ).values { try $0.text() }
            #expect(others == [])
        }
    }

    /// Required for copying one database to the other.
    @Test func `has every table and column that SQLite has`() async throws {
        let store = try SQLiteStore(inMemoryWith: .system)
        let columns = try await store.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT m.name || '.' || c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
                    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND m.name NOT LIKE 'grdb%'
                    """)
        }
        try await withDatabase { settings, pool in
            try await open(settings)
            let here = try await pool.read(
                """
                SELECT table_name::text || '.' || column_name::text FROM information_schema.columns
                WHERE table_schema = 'public'
                """
            ).values { try $0.text() }
            #expect(columns.count > 50)
            #expect(Set(columns).subtracting(here) == [])
        }
        try await store.close()
    }
}
