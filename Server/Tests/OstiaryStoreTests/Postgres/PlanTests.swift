import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryPostgres
import PostgresServer
import Testing

@testable import OstiaryStore

/// Every statement, at the size that `GROWTH_ACCOUNTS`, `GROWTH_SESSIONS` and `GROWTH_EVENTS` set, uses an index.
///
/// The server logs the plan of each statement, and the test reads the log. The cost of a sequential scan grows with the
/// tables, and it is detected at any size: by the plan, or by the number of rows that it discarded.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed")) struct PlanTests {
    private static let accounts = ProcessInfo.processInfo.environment["GROWTH_ACCOUNTS"] ?? "10000"
    private static let sessions = ProcessInfo.processInfo.environment["GROWTH_SESSIONS"] ?? "50000"
    private static let events = ProcessInfo.processInfo.environment["GROWTH_EVENTS"] ?? sessions
    /// Every table that grows. The number of messages is at most twice the outbox's capacity, and they are counted.
    private static let growing: Set = [
        "account", "account_activity", "account_event", "account_name", "account_role", "attempt", "code",
        "device", "event_delivery", "factor", "generation_use", "idempotent_request", "message_record", "operation",
        "recovery_code", "reset_token", "session", "session_attachment", "statistic", "ticket",
    ]
    /// A batch of the sweep, or a page of events, with a margin.
    private static let mostRows = 1100.0

    // Plans for all values, and those for the given parameters, as behind a pooler.
    @Test(arguments: ["force_generic_plan", "force_custom_plan"])
    func `no statement walks through a large table`(mode: String) async throws {
        let server = try await PostgresServer.shared()
        let options = PostgresServer.patience() + "%20-c%20plan_cache_mode%3D\(mode)"
        try await server.withSettings(asAdministrator: true, patience: options) { settings in
            try await Self.grow(settings)
            try await Self.explain(settings)
            let start = try server.logSize
            let store = try await PostgresStore.open(settings, system: .system, log: .silent)
            #expect(try await store.read("SHOW plan_cache_mode").value { try $0.text() } == mode)
            try await StoreWalk(store: store, mode: mode).run()
            await store.close()
            let plans = try PlanNode.plans(in: server.log(from: start))
            #expect(plans.count > 80)
            for plan in plans { plan.check(growing: Self.growing, mostRows: Self.mostRows) }
        }
    }

    @Test func `finds a plan that walks`() async throws {
        let server = try await PostgresServer.shared()
        try await server.withSettings(asAdministrator: true) { settings in
            let store = try await PostgresStore.open(settings, system: .system, log: .silent)
            await store.close()
            try await Self.explain(settings)
            let start = try server.logSize
            let pool = PostgresPool(settings, log: .silent)
            _ = try await pool.write("INSERT INTO attempt (name, full_at) VALUES ('k', 0)")
            _ = try await pool.read("SELECT count(*) FROM attempt")
            _ = try await pool.read("SELECT n FROM generate_series(1, 2000) AS n ORDER BY -n")
            await pool.close()
            let problems = try PlanNode.plans(in: server.log(from: start)).flatMap {
                $0.problems(growing: Self.growing, mostRows: Self.mostRows)
            }
            #expect(problems.contains("Seq Scan on attempt"))
            #expect(problems.contains { $0.hasPrefix("Sort of 2000 rows") })
        }
    }

    /// Creates the tables and fills them.
    private static func grow(_ settings: PostgresSettings) async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../Benchmarks/growth.sql").standardized
        let statements = try String(contentsOf: script, encoding: .utf8).split(separator: ";\n").map(String.init)
        let store = try await PostgresStore.open(settings, system: .system, log: .silent)
        await store.close()
        let pool = PostgresPool(settings, log: .silent)
        try await pool.transaction(within: .seconds(86_400)) { tx in
            for (name, value) in [
                ("growth.accounts", accounts), ("growth.sessions", sessions), ("growth.events", events),
                ("growth.now", String(noon.milliseconds)),
                // The rows of the script refer to existing rows; checking the references takes most of the time.
                ("session_replication_role", "replica"),
            ] {
                try await tx.run("SELECT set_config($1, $2, TRUE)", [name, value])
            }
            for statement in statements + furtherRows + crowdedAccount + endpoint { try await tx.run(statement) }
        }
        await pool.close()
    }

    /// Every account of the script has a passkey, ten recovery codes and three devices, and there are as many repeatable
    /// requests.
    private static let furtherRows = [
        """
        INSERT INTO factor (app, account_id, id, kind, name, material, credential_id, counter, created_at)
        SELECT app, id, md5('factor' || id), 'passkey', 'Phone', '\\x01', decode(md5('credential' || id), 'hex'), 0, 0
        FROM account WHERE app = 'growth'
        """,
        """
        INSERT INTO recovery_code (app, account_id, hash)
        SELECT app, id, decode(md5(id || '-' || n), 'hex') FROM account CROSS JOIN generate_series(1, 10) AS n
        WHERE app = 'growth'
        """,
        """
        INSERT INTO idempotent_request (hash, body_hash, claim, claimed_until, answer, expires_at)
        SELECT decode(md5('request' || id), 'hex'), '\\x01', 'c', 0, '\\x01', 9000000000000000
        FROM account WHERE app = 'growth'
        """,
        """
        INSERT INTO device (app, account_id, id, hash, created_at, last_used_at, expires_at, presentations)
        SELECT app, id, md5('device' || id || '-' || n), decode(md5('secret' || id || '-' || n), 'hex'), n, n,
            9000000000000000, n % 2
        FROM account CROSS JOIN generate_series(1, 3) AS n WHERE app = 'growth'
        """,
        "ANALYZE factor, recovery_code, idempotent_request, device",
    ]

    /// Account 2 has ended 20,000 sessions, and as many others as an account keeps, of which half have expired.
    private static let crowdedAccount = [
        """
        INSERT INTO session (
            id, app, account_id, created_at, last_used_at, idle_seconds, idle_ends_at, ends_at, generation,
            generation_issued_at, revoked_at, revoke_reason, sweep_at)
        SELECT md5('crowded' || n), 'growth', '2', 0, 0, 60, t.ends_at, t.ends_at, 0, 0,
            CASE WHEN n > 200 THEN 1 END, CASE WHEN n > 200 THEN 'sign_out' END, 9000000000000000
        FROM generate_series(1, 20200) AS n
        CROSS JOIN LATERAL (SELECT CASE WHEN n % 2 = 0 THEN 60000 ELSE 9000000000000000 END AS ends_at) AS t
        """,
        "ANALYZE session",
    ]

    /// An endpoint, 90,000 events that it has, and 10,000 that wait for one that failed, of each tenth account; before them the few
    /// deliveries of an app without others.
    private static let endpoint = [
        """
        INSERT INTO event_endpoint (id, app, url, types, include, state, secret, created_at)
        VALUES ('ep_' || repeat('0', 32), 'growth', 'https://a.example.com/', '', '', 'enabled', '\\x01', 0)
        """,
        """
        INSERT INTO account_event (number, id, app, type, account_id, snapshot, details, created_at)
        SELECT n, md5('event' || n), 'growth', 'session.created', (n % 1000)::text, '{}', '{}', n
        FROM generate_series(1, 100000) AS n
        """,
        """
        INSERT INTO event_delivery (
            endpoint_id, event, app, order_key, state, attempts, created_at, due_at, finished_at)
        SELECT 'ep_' || repeat('1', 32), n, 'quiet', (n % 1000)::text, 'delivered', '[]', n, 0, 4000000000000
        FROM generate_series(1, 200) AS n
        """,
        """
        INSERT INTO event_delivery (
            endpoint_id, event, app, order_key, state, attempts, created_at, due_at, finished_at)
        SELECT 'ep_' || repeat('0', 32), n, 'growth', (n % 1000)::text,
            CASE WHEN n <= 80000 THEN 'delivered' WHEN n <= 90000 THEN 'failed' ELSE 'pending' END, '[]', n,
            CASE WHEN n > 91000 OR n <= 90900 THEN 0 ELSE 4000000000000 END,
            CASE WHEN n <= 90000 THEN 4000000000000 END
        FROM generate_series(1, 100000) AS n
        """,
        "SELECT setval(pg_get_serial_sequence('account_event', 'number'), 100000)",
        "ANALYZE event_endpoint, account_event, event_delivery",
    ]

    /// Makes the database's new connections log every plan.
    private static func explain(_ settings: PostgresSettings) async throws {
        let pool = PostgresPool(settings, log: .silent)
        let plans = [
            "session_preload_libraries": "auto_explain", "auto_explain.log_min_duration": "0",
            "auto_explain.log_analyze": "on", "auto_explain.log_timing": "off", "auto_explain.log_format": "json",
            "auto_explain.log_nested_statements": "on",
        ]
        _ = try await pool.write("LOAD 'auto_explain'")
        for (name, value) in plans {
            _ = try await pool.write("ALTER DATABASE \(settings.database) SET \(name) = '\(value)'")
        }
        await pool.close()
    }
}
