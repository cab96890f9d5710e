import OstiaryEngine
import OstiaryPostgres

/// Migrates a database, also when several nodes start at once.
///
/// Each step is a transaction of its own, so that a killed node leaves a step complete or not begun. The lock is
/// transaction-level, because a pooler may give the next transaction another connection. Other programs' tables are
/// ignored, unless they have the names of Ostiary's.
struct PostgresMigration: Sendable {
    let pool: PostgresPool
    let system: SystemDependencies
    /// The database's name, for messages.
    let database: String
    var steps = PostgresSchema.steps

    /// The timeout of a step, including the wait for other nodes: an index over millions of rows takes minutes.
    private static let patience = Duration.seconds(3600)
    /// The advisory lock's key, "OSTYstep". Shared by all programs that migrate an Ostiary database.
    private static let lock: Int64 = 0x4F53_5459_7374_6570

    /// - Throws: ``StoreError/newerSchema(path:)`` if the database requires newer programs;
    ///   ``StoreError/foreignTables(database:)`` if another program's tables have the names of Ostiary's;
    ///   ``PostgresError``. Only the steps completed before have then changed the database.
    func run() async throws {
        // First with the usual timeout, so that an unreachable server is detected in time.
        guard try await step(after: .asked(of: pool)) != nil else { return }
        do {
            while try await takeNextStep() {}
        } catch PostgresError.refused(.duplicateTable, _) {
            throw StoreError.foreignTables(database: database)
        }
    }

    /// - Returns: `false` if there was none, or another node took the last.
    private func takeNextStep() async throws -> Bool {
        try await pool.transaction(within: Self.patience) { tx in
            try await tx.run([
                // The wait for another node's step has no limit.
                PostgresStatement("SET LOCAL lock_timeout = 0"), PostgresStatement("SET LOCAL statement_timeout = 0"),
                PostgresStatement("SELECT 1 FROM pg_advisory_xact_lock($1)", [Self.lock]),
                PostgresStatement(
                    """
                    CREATE TABLE IF NOT EXISTS schema_step (
                        number bigint PRIMARY KEY,
                        name text COLLATE "C" NOT NULL,
                        applied_at bigint NOT NULL,
                        -- The oldest number whose programs may go on working with the database.
                        oldest_compatible bigint NOT NULL
                    )
                    """),
            ])
            guard let step = try step(after: PostgresSchemaState(await tx.run(PostgresSchemaState.question))) else {
                return false
            }
            try await tx.commit(
                after: step.statements.map { PostgresStatement($0) } + [
                    PostgresStatement(
                        "INSERT INTO schema_step (number, name, applied_at, oldest_compatible) VALUES ($1, $2, $3, $4)",
                        [step.number, step.name, system.now().milliseconds, step.oldestCompatible])
                ])
            return true
        }
    }

    private func step(after state: PostgresSchemaState) throws -> PostgresSchema.Step? {
        guard state.admits(steps) else { throw StoreError.newerSchema(path: "The PostgreSQL database \(database)") }
        return steps.first { $0.number > state.number }
    }
}

/// The steps that have been applied to a database.
struct PostgresSchemaState: Hashable, Sendable {
    /// The number of the last step; 0 where there is none.
    var number: Int
    /// The lowest step that a program has to know.
    var oldestCompatible: Int

    static let question = "SELECT COALESCE(max(number), 0), COALESCE(max(oldest_compatible), 0) FROM schema_step"

    init(_ rows: PostgresRows) throws {
        (number, oldestCompatible) =
            try rows.value { (Int(try $0.integer()), Int(try $0.integer())) } ?? (0, 0)
    }

    private init() { (number, oldestCompatible) = (0, 0) }

    static func asked(of pool: PostgresPool) async throws -> PostgresSchemaState {
        let isThere = try await pool.read("SELECT to_regclass('schema_step') IS NOT NULL").value { try $0.bool() }
        return isThere == true ? try await PostgresSchemaState(pool.read(question)) : PostgresSchemaState()
    }

    /// Returns `true` if a program that knows these steps may use the database, possibly after it applies the missing
    /// ones.
    func admits(_ steps: [PostgresSchema.Step]) -> Bool { oldestCompatible <= steps.last?.number ?? 0 }

    /// Returns `true` if a program that knows these steps may use the database as it is.
    func isCurrent(for steps: [PostgresSchema.Step] = PostgresSchema.steps) -> Bool {
        admits(steps) && number >= steps.last?.number ?? 0
    }
}

extension SQLState {
    fileprivate static let duplicateTable = SQLState("42P07")
}
