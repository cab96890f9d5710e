import OstiaryPostgres
import PostgresServer
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct StatementTests {
    @Test func `gives back the values that it was given`() async throws {
        try await withPool { pool, _ in
            let row = try await pool.read(
                "SELECT $1::text, $2::int8, $3::int8, $4::bool, $5::bytea, array_to_string($6, '|'), ($7::int8[])[2]",
                ["hä 🗝", Int64.min, 258, true, [UInt8](0...255), ["a", "", "c"], [Int64(1), -2]])[0]
            #expect(try row.text(0) == "hä 🗝")
            #expect(try row.integer(1) == .min)
            #expect(try row.integer(2) == 258)
            #expect(try row.bool(3) == true)
            #expect(try row.bytes(4) == [UInt8](0...255))
            #expect(try row.text(5) == "a||c")
            #expect(try row.integer(6) == -2)
        }
    }

    @Test func `waits for locks and for its own transactions no longer than is said, unless the URL says otherwise`()
        async throws
    {
        try await PostgresServer.shared().withDatabase { database in
            for (parameters, expected) in [
                ("pool_size=1", "1500ms 10s read committed warning force_generic_plan"),
                (
                    "options=-c%20lock_timeout%3D2s%20-c%20client_min_messages%3Derror",
                    "2s 10s read committed warning force_generic_plan"
                ),
            ] {
                let pool = try pool(database.url(parameters))
                let settings = try await pool.read(
                    """
                    SELECT concat_ws(' ', current_setting('lock_timeout'),
                        current_setting('idle_in_transaction_session_timeout'),
                        current_setting('transaction_isolation'), current_setting('client_min_messages'),
                        current_setting('plan_cache_mode'))
                    """)
                #expect(try settings[0].text(0) == expected)
                await pool.close()
            }
        }
    }

    @Test func `sends nulls in arrays`() async throws {
        try await withPool { pool, _ in
            let row = try await pool.read(
                "SELECT array_to_string($1::text[], ',', '-'), array_to_string($2::int8[], ',', '-')",
                [["a", nil, ""] as [String?], [nil, 7] as [Int64?]])[0]
            #expect(try row.text(0) == "a,-,")
            #expect(try row.text(1) == "-,7")
        }
    }

    @Test func `gives back nulls, and what is empty as empty`() async throws {
        try await withPool { pool, _ in
            let row = try await pool.read(
                "SELECT $1::text, $2::int8, $3::bool, $4::bytea, $5::text[] IS NULL, $6::text, $7::bytea, cardinality($8::text[])",
                [
                    String?.none, Int64?.none, Bool?.none, [UInt8]?.none, [String]?.none, "", [UInt8](), [String](),
                ])[0]
            #expect(try row.text(0) == nil)
            #expect(try row.integer(1) == nil)
            #expect(try row.bool(2) == nil)
            #expect(try row.bytes(3) == nil)
            #expect(try row.bool(4) == true)
            #expect(try row.text(5) == "")
            #expect(try row.bytes(6) == [])
            #expect(try row.integer(7) == 0)
        }
    }

    @Test func `reads integers of every size`() async throws {
        try await withPool { pool, _ in
            let row = try await pool.read("SELECT (-2)::int2, (-3)::int4, (-4)::int8, false")[0]
            #expect(try row.integer(0) == -2)
            #expect(try row.integer(1) == -3)
            #expect(try row.integer(2) == -4)
            #expect(try row.bool(3) == false)
            #expect(row.columnCount == 4)
        }
    }

    @Test func `refuses to read a column as another type, one that is not there, and a row that is not there`()
        async throws
    {
        try await withPool { pool, _ in
            let rows = try await pool.read("SELECT 1::int8, 1.5::numeric")
            #expect(throws: PostgresError.mismatch(column: 0)) { try rows[0].text(0) }
            #expect(throws: PostgresError.mismatch(column: 1)) { try rows[0].integer(1) }
            #expect(throws: PostgresError.mismatch(column: 2)) { try rows[0].integer(2) }
            #expect(throws: PostgresError.mismatch(column: 0)) { try rows[1].integer(0) }
        }
    }

    @Test func `carries values of a megabyte`() async throws {
        try await withPool { pool, _ in
            let bytes = (0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let row = try await pool.read(
                "SELECT $1::bytea, $2::text", [bytes, String(repeating: "ä", count: 524_288)])[0]
            #expect(try row.bytes(0) == bytes)
            #expect(try row.text(1) == String(repeating: "ä", count: 524_288))
        }
    }

    @Test func `reads a hundred thousand rows`() async throws {
        try await withPool { pool, _ in
            let rows = try await pool.read("SELECT n, 'row ' || n FROM generate_series(1, 100000) AS n")
            #expect(rows.count == 100_000)
            let sum = try rows.reduce(Int64(0)) { try $0 + ($1.integer(0) ?? 0) }
            #expect(sum == 5_000_050_000)
            #expect(try rows[99_999].text(1) == "row 100000")
        }
    }

    @Test func `says how many rows a statement changed`() async throws {
        try await withPool { pool, _ in
            let results = try await pool.write([
                PostgresStatement("CREATE TABLE t (a int8)"),
                PostgresStatement("INSERT INTO t SELECT generate_series(1, $1)", [Int64(3)]),
                PostgresStatement("UPDATE t SET a = 0 WHERE a > $1", [1]),
            ])
            #expect(results.map(\.affected) == [0, 3, 2])
        }
    }

    @Test func `takes the same text with parameters of other types for another statement`() async throws {
        try await withPool("pool_size=1") { pool, _ in
            for _ in 0..<2 {
                let (number, text) = (
                    try await pool.read("SELECT pg_typeof($1)::text", [1])[0],
                    try await pool.read("SELECT pg_typeof($1)::text", ["1"])[0]
                )
                #expect(try number.text(0) == "bigint")
                #expect(try text.text(0) == "text")
            }
        }
    }

    @Test func `prepares a statement once for a connection`() async throws {
        try await withPool("pool_size=1") { pool, _ in
            for n in 0..<5 { _ = try await pool.read("SELECT $1::int8", [n]) }
            #expect(try await pool.number("SELECT count(*) FROM pg_prepared_statements") == 1)
        }
    }

    @Test func `keeps no more than some hundreds of texts prepared`() async throws {
        try await withPool("pool_size=1") { pool, _ in
            for n in 0..<10_000 {
                let sum = try await pool.number("SELECT \(n) + $1::int8", [1])
                #expect(sum == Int64(n + 1))
            }
            #expect(try await pool.number("SELECT count(*) FROM pg_prepared_statements") ?? 0 <= 500)
        }
    }

    @Test func `prepares again what failed to be prepared`() async throws {
        try await withPool("pool_size=1") { pool, _ in
            let question = PostgresStatement("SELECT count(*) FROM later WHERE a = $1", [1])
            await #expect(throws: PostgresError.refused(.undefinedTable, constraint: nil)) {
                // The second statement is not examined once the first has failed.
                try await pool.write([question, PostgresStatement("SELECT $1::text", ["x"])])
            }
            _ = try await pool.write("CREATE TABLE later (a int8)")
            let rows = try await pool.write([question, PostgresStatement("SELECT $1::text", ["x"])])
            #expect(try rows[0][0].integer(0) == 0)
            #expect(try rows[1][0].text(0) == "x")
        }
    }

    @Test(arguments: ["DEALLOCATE ALL", "ALTER TABLE t ALTER a TYPE text USING a::text"])
    func `prepares again what is gone or out of date`(change: String) async throws {
        try await withPool { pool, database in
            _ = try await pool.write("CREATE TABLE t (a int8)")
            let rows = (0..<8).map { _ in PostgresStatement("SELECT * FROM t WHERE $1::int8 > 0", [1]) }
            // On all connections of the pool.
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 { group.addTask { _ = try await pool.write(rows) } }
                try await group.waitForAll()
            }
            _ = try await pool.write(change)
            #expect(try await pool.read("SELECT * FROM t WHERE $1::int8 > 0", [1]).isEmpty)
        }
    }
}
