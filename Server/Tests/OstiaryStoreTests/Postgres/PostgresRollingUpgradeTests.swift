import OstiaryCore
import OstiaryEngine
import OstiaryPostgres
@testable import OstiaryStore
import PostgresServer
import Testing

/// The schema changes in two versions: one adds what the next requires, and programs of both run on one database.
@Suite struct PostgresRollingUpgradeTests {
    /// Changes without an effect on programs, each with its reason.
    private static let harmless: [Int: Set<ContractingChange>] = [
        // The columns keep their type, and are sorted by bytes.
        11: [.type]
    ]

    @Test func `no step removes or requires anything that programs it admits do not know`() {
        var oldest = 0
        for step in PostgresSchema.steps {
            #expect(step.oldestCompatible >= oldest, "\(step.number)")
            defer { oldest = step.oldestCompatible }
            // Programs that know fewer steps no longer use the database: the step contracts what they need.
            guard step.oldestCompatible == max(oldest, 1) else { continue }
            let created = Set(step.statements.compactMap(ContractingChange.createdTable))
            for statement in step.statements {
                let found = ContractingChange.found(in: statement, besides: created)
                #expect(found.subtracting(Self.harmless[step.number] ?? []) == [], "step \(step.number): \(statement)")
            }
        }
    }

    @Test(arguments: [
        ("DROP TABLE account", ContractingChange.dropped), ("ALTER TABLE account DROP COLUMN email", .dropped),
        ("ALTER TABLE account\n  RENAME COLUMN email TO mail", .renamed),
        ("ALTER TABLE account RENAME TO person", .renamed),
        ("ALTER TABLE account ALTER COLUMN id TYPE bigint", .type),
        ("ALTER TABLE account ALTER id SET DATA TYPE bigint", .type),
        ("ALTER TABLE account ALTER COLUMN email SET NOT NULL", .required),
        ("ALTER TABLE account ADD COLUMN a text, ADD COLUMN b text COLLATE \"C\" NOT NULL", .requiredAtOnce),
        ("ALTER TABLE account ADD b numeric(10, 2) NOT NULL, ADD c int DEFAULT 1", .requiredAtOnce),
        ("ALTER TABLE account ADD CONSTRAINT c CHECK (a > 0)", .constrained),
        ("ALTER TABLE account ADD UNIQUE (a)", .constrained), ("CREATE UNIQUE INDEX i ON account (a)", .unique),
    ]) func `recognizes each such change`(statement: String, change: ContractingChange) {
        #expect(ContractingChange.found(in: statement) == [change])
        #expect(ContractingChange.found(in: statement, besides: ["OTHER"]) == [change])
    }

    @Test(arguments: [
        "CREATE TABLE other (a int NOT NULL, UNIQUE (a))", "ALTER TABLE account ADD COLUMN a text",
        "ALTER TABLE account ADD COLUMN a text COLLATE \"C\" NOT NULL DEFAULT ''",
        "ALTER TABLE account ADD COLUMN a int, -- RENAME\n ADD COLUMN b bigint NOT NULL DEFAULT 0",
        "CREATE INDEX i ON account (a)", "ALTER TABLE account ALTER COLUMN a DROP NOT NULL",
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DROP TABLE x; END $$", "DROP INDEX i",
    ]) func `and no other`(statement: String) {
        #expect(ContractingChange.found(in: statement) == [])
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
    func `a database at every earlier step is brought up to date with its accounts and sessions`() async throws {
        for count in 1..<PostgresSchema.steps.count {
            try await PostgresServer.shared().withSettings { settings in
                let pool = PostgresPool(settings, log: .silent)
                let steps = Array(PostgresSchema.steps.prefix(count))
                try await PostgresMigration(pool: pool, system: .system, database: settings.database, steps: steps)
                    .run()
                for statement in EarlierSchema.rows { _ = try await pool.write(statement) }
                await pool.close()
                let store = try await PostgresStore.open(settings, system: .system, log: .silent)
                let state = try #require(try await store.state("s1"), "step \(count)")
                #expect(state.account.id.text == "7" && state.account.passwordHash == "$2b$10$hash")
                try await store.checkReadiness()
                await store.close()
            }
        }
    }
}
