import OstiaryPostgres
import PostgresServer
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct RefusalTests {
    /// A function that raises the given error on its first calls, and returns how often it was called.
    private static let stumbling = [
        PostgresStatement("CREATE SEQUENCE calls"),
        PostgresStatement(
            """
            CREATE FUNCTION stumble(times int8, level text, code text) RETURNS int8 LANGUAGE plpgsql AS $$
            DECLARE call int8 := nextval('calls');
            BEGIN
                IF call <= times AND level = 'WARNING' THEN RAISE WARNING USING ERRCODE = code, MESSAGE = 'oh'; END IF;
                IF call <= times AND level = 'ERROR' THEN RAISE EXCEPTION USING ERRCODE = code, MESSAGE = 'oh'; END IF;
                RETURN call;
            END $$
            """),
    ]

    @Test func `names the constraint`() async throws {
        try await withPool { pool, _ in
            _ = try await pool.write([
                PostgresStatement("CREATE TABLE t (a int8 PRIMARY KEY)"),
                PostgresStatement("CREATE TABLE u (a int8 CONSTRAINT known REFERENCES t)"),
            ])
            _ = try await pool.write("INSERT INTO t VALUES ($1)", [1])
            await #expect(throws: PostgresError.refused(.uniqueViolation, constraint: "t_pkey")) {
                try await pool.write("INSERT INTO t VALUES ($1)", [1])
            }
            await #expect(throws: PostgresError.refused(.foreignKeyViolation, constraint: "known")) {
                try await pool.write("INSERT INTO u VALUES ($1)", [2])
            }
        }
    }

    @Test func `says that NUL cannot be kept`() async throws {
        try await withPool { pool, _ in
            await #expect(throws: PostgresError.unkeepable) { try await pool.read("SELECT $1::text", ["a\0b"]) }
            await #expect(throws: PostgresError.unkeepable) {
                try await pool.read("SELECT $1::text[] IS NULL", [["\0"]])
            }
            let bytes = try await pool.read("SELECT $1::bytea", [[UInt8(0)]])
            #expect(try bytes[0].bytes(0) == [0])
        }
    }

    @Test func `says that a lock was not to be had`() async throws {
        try await withPool("pool_size=2&options=-c%20lock_timeout%3D20") { pool, _ in
            _ = try await pool.write("CREATE TABLE t (a int8)")
            let hold = try await Hold(of: pool, "LOCK TABLE t")
            await #expect(throws: PostgresError.refused(.lockNotAvailable, constraint: nil)) {
                try await pool.read("SELECT a FROM t")
            }
            try await hold.release()
        }
    }

    @Test(arguments: [SQLState.serializationFailure, .deadlockDetected])
    func `repeats what the server gave up for another's sake`(state: SQLState) async throws {
        try await withPool { pool, _ in
            _ = try await pool.write(Self.stumbling)
            let call = try await pool.write("SELECT stumble($1, 'ERROR', $2)", [2, state.code])
            #expect(try call[0].integer(0) == 3)
            let calls = try await pool.transaction { transaction in
                try await transaction.run("SELECT stumble($1, 'ERROR', $2)", [5, state.code])[0].integer(0)
            }
            #expect(calls == 6)
        }
    }

    @Test func `repeats no other refusal`() async throws {
        try await withPool { pool, _ in
            _ = try await pool.write(Self.stumbling)
            await #expect(throws: PostgresError.refused(SQLState("22012"), constraint: nil)) {
                try await pool.write("SELECT stumble($1, 'ERROR', '22012')", [1])
            }
            #expect(try await pool.number("SELECT last_value FROM calls") == 1)
        }
    }

    @Test(arguments: [SQLState.undefinedStatement, .featureNotSupported])
    func `gives up what seems out of date on every connection`(state: SQLState) async throws {
        try await withPool { pool, _ in
            _ = try await pool.write(Self.stumbling)
            await #expect(throws: PostgresError.refused(state, constraint: nil)) {
                try await pool.write("SELECT stumble($1, 'ERROR', $2)", [100, state.code])
            }
            #expect(try await pool.number("SELECT last_value FROM calls") == 4)
        }
    }

    @Test func `resolves a deadlock by repeating one of the two`() async throws {
        try await withPool { pool, database in
            try await database.administer("ALTER DATABASE \(database.name) SET deadlock_timeout = '10ms'")
            _ = try await pool.write([
                PostgresStatement("CREATE TABLE t (a int8 PRIMARY KEY, n int8 NOT NULL)"),
                PostgresStatement("INSERT INTO t VALUES (1, 0), (2, 0)"),
            ])
            let both = Meeting(of: 2)
            try await withThrowingTaskGroup { group in
                for order in [[1, 2], [2, 1]] {
                    group.addTask {
                        try await pool.transaction { transaction in
                            try await transaction.run("UPDATE t SET n = n + 1 WHERE a = $1", [order[0]])
                            await both.meet()
                            try await transaction.run("UPDATE t SET n = n + 1 WHERE a = $1", [order[1]])
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await pool.number("SELECT sum(n)::int8 FROM t") == 4)
        }
    }

    @Test func `takes a commit for done of which the server warns for another reason than its standby`() async throws {
        try await withPool { pool, _ in
            _ = try await pool.write(Self.stumbling)
            let call = try await pool.write("SELECT stumble($1, 'WARNING', '01000')", [100])
            #expect(try call[0].integer(0) == 1)
        }
    }

    @Test(arguments: ["53100", "57014", "XX000"])
    func `uses no connection again on which the server failed`(code: String) async throws {
        try await withPool("pool_size=1") { pool, _ in
            _ = try await pool.write(Self.stumbling)
            let before = try await pool.number("SELECT pg_backend_pid()")
            await #expect(throws: PostgresError.refused(SQLState(code), constraint: nil)) {
                try await pool.write("SELECT stumble($1, 'ERROR', $2)", [100, code])
            }
            #expect(try await pool.number("SELECT pg_backend_pid()") != before)
        }
    }
}
