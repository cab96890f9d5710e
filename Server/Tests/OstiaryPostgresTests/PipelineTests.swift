import OstiaryPostgres
import PostgresServer
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct PipelineTests {
    @Test func `does all statements or none`() async throws {
        try await withPool { pool, _ in
            _ = try await pool.write("CREATE TABLE t (a int8 PRIMARY KEY)")
            await #expect(throws: PostgresError.refused(.uniqueViolation, constraint: "t_pkey")) {
                try await pool.write([
                    PostgresStatement("INSERT INTO t VALUES ($1)", [1]),
                    PostgresStatement("INSERT INTO t VALUES ($1)", [2]),
                    PostgresStatement("INSERT INTO t VALUES ($1)", [1]),
                    PostgresStatement("INSERT INTO t VALUES ($1)", [3]),
                ])
            }
            #expect(try await pool.number("SELECT count(*) FROM t") == 0)
            // The connection remains usable.
            _ = try await pool.write("INSERT INTO t VALUES ($1)", [1])
            #expect(try await pool.number("SELECT count(*) FROM t") == 1)
        }
    }

    @Test func `says what a constraint refused that is checked at the end`() async throws {
        try await withPool { pool, _ in
            _ = try await pool.write(
                "CREATE TABLE t (a int8, CONSTRAINT once UNIQUE (a) DEFERRABLE INITIALLY DEFERRED)")
            await #expect(throws: PostgresError.refused(.uniqueViolation, constraint: "once")) {
                try await pool.write([
                    PostgresStatement("INSERT INTO t VALUES ($1)", [1]),
                    PostgresStatement("INSERT INTO t VALUES ($1)", [1]),
                ])
            }
            #expect(try await pool.number("SELECT count(*) FROM t") == 0)
        }
    }

    @Test func `shows a statement what the one before it changed`() async throws {
        try await withPool { pool, _ in
            _ = try await pool.write("CREATE TABLE t (a int8)")
            let rows = try await pool.write([
                PostgresStatement("INSERT INTO t VALUES ($1)", [1]), PostgresStatement("SELECT count(*) FROM t"),
            ])
            #expect(try rows[1][0].integer(0) == 1)
        }
    }

    @Test func `shows a statement what others committed after the pipeline began`() async throws {
        try await withPool { pool, _ in
            _ = try await pool.write("CREATE TABLE t (a int8)")
            async let seen = pool.transaction { other in
                try await other.run("SELECT pg_advisory_xact_lock(1)::text")
                async let rows = pool.write([
                    PostgresStatement("SELECT count(*) FROM t"),
                    PostgresStatement("SELECT pg_advisory_xact_lock(1)::text"),
                    PostgresStatement("SELECT count(*) FROM t"),
                ])
                try await eventually("the pipeline waits") {
                    try await pool.number(
                        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
                    ) == 1
                }
                try await other.commit(after: [PostgresStatement("INSERT INTO t VALUES ($1)", [1])])
                return try await rows.map { $0[0] }
            }
            let rows = try await seen
            #expect(try rows[0].integer(0) == 0)
            #expect(try rows[2].integer(0) == 1)
        }
    }

    @Test func `takes no statement for nothing to do`() async throws {
        try await withPool { pool, _ in
            let results = try await pool.write([])
            #expect(results.isEmpty)
            #expect(try await pool.number("SELECT 1") == 1)
        }
    }

    @Test func `lets nobody have a connection on which a transaction was left open`() async throws {
        try await withPool("pool_size=1") { pool, _ in
            _ = try await pool.write("CREATE TABLE t (a int8)")
            _ = try await pool.write([PostgresStatement("BEGIN"), PostgresStatement("INSERT INTO t VALUES ($1)", [1])])
            #expect(try await pool.number("SELECT count(*) FROM t") == 0)
        }
    }
}
