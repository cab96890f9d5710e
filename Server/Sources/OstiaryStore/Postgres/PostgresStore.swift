package import Logging
package import OstiaryEngine
package import OstiaryPostgres

/// The engine's store in a PostgreSQL database that any number of nodes share.
///
/// Holds no state in memory that another node could need. An acknowledged write is as durable as the server's
/// `synchronous_commit` makes it.
package final class PostgresStore: Store {
    let pool: PostgresPool
    let system: SystemDependencies
    /// Bounded: a use is dropped rather than let recorded uses take the connections from requests.
    let pendingTokenUses = PendingTokenUses(limit: 64)
    let assessmentSweep = AssessmentSweep()
    package let commitDurations = DurationHistogram()
    // More groups at once would be smaller ones, which cost more for each call.
    let rotations = CallGroups<RotationCall, Result<SessionState, any Error>?>(limit: 2)
    let sessionReads = CallGroups<SessionCall, Result<SessionState, any Error>?>(limit: 2)

    init(_ pool: PostgresPool, system: SystemDependencies) {
        self.pool = pool
        self.system = system
    }

    /// Opens the database and brings its schema up to date; creates the tables if there are none of Ostiary's.
    ///
    /// Tables of other programs may be beside them. Waits for other nodes that do the same.
    ///
    /// - Throws: ``StoreError`` if the database cannot be reached or used, requires newer versions, or has another
    ///   program's tables under the names of Ostiary's.
    package static func open(
        _ settings: PostgresSettings, system: SystemDependencies, log: Logger
    ) async throws -> PostgresStore {
        let pool = PostgresPool(settings, log: log)
        let store = PostgresStore(pool, system: system)
        do {
            try await translating { try await checkSchema(pool) }
            try await translating {
                try await PostgresMigration(pool: pool, system: system, database: settings.database).run()
            }
            try await store.checkIsolation()
            try await store.keepAuditMonths(at: system.now())
        } catch {
            await store.close()
            throw error
        }
        return store
    }

    /// The numbers of open and busy connections to the database, and of calls that wait for one.
    package var connectionCounts: (open: Int, busy: Int, waiting: Int) { pool.counts }

    package func close() async {
        await pendingTokenUses.finish()
        await pool.close()
    }

    /// `true` if this program may use the schema as it is.
    var hasCurrentSchema: Bool {
        get async throws { try await Self.translating { try await PostgresSchemaState.asked(of: pool).isCurrent() } }
    }

    // The pool's calls, with the store's errors. Writes are idempotent: see ``PostgresPool``.

    // Each names its span after its caller.

    func read(
        _ sql: String, _ parameters: [any PostgresParameter] = [], function: StaticString = #function
    ) async throws -> PostgresRows {
        try await Self.measuring(function) { try await pool.read(sql, parameters) }
    }

    @discardableResult
    func write(
        _ sql: String, _ parameters: [any PostgresParameter] = [], function: StaticString = #function
    ) async throws -> PostgresRows {
        if ChangeActor.current != nil {
            return try await write([PostgresStatement(sql, parameters)], function: function)[0]
        }
        return try await Self.measuring(function) {
            try await commitDurations.measure { try await pool.write(sql, parameters) }
        }
    }

    @discardableResult
    func write(_ statements: [PostgresStatement], function: StaticString = #function) async throws -> [PostgresRows] {
        let acting = Self.acting()
        return try await Self.measuring(function) {
            let answers = try await commitDurations.measure { try await pool.write(acting + statements) }
            return Array(answers.dropFirst(acting.count))
        }
    }

    func transaction<Value: Sendable>(
        function: StaticString = #function, _ body: @Sendable (PostgresTransaction) async throws -> Value
    ) async throws -> Value {
        let acting = Self.acting()
        return try await Self.measuring(function) {
            try await commitDurations.measure {
                guard !acting.isEmpty else { return try await pool.transaction(body) }
                return try await pool.transaction { tx in
                    try await tx.run(acting)
                    return try await body(tx)
                }
            }
        }
    }

    /// Runs the transaction of an operation once, also if the operation is repeated because an answer was lost.
    ///
    /// - Parameter body: Throws ``NothingDone`` if there is nothing to do.
    /// - Returns: `false` if there was nothing to do.
    func performOnce(
        _ operation: WriteOperation, function: StaticString = #function,
        _ body: @Sendable (PostgresTransaction) async throws -> Void
    ) async throws -> Bool {
        do {
            try await transaction(function: function) { tx in
                guard try await tx.begin(operation) == .first else { return }
                try await body(tx)
            }
            return true
        } catch is NothingDone {
            return false
        }
    }

    /// Runs `body` in a read-only transaction, all of whose statements see the same commits.
    ///
    /// - Parameter deadline: The time limit. Neither a statement nor the time between two has a limit of its own.
    func snapshot<Value: Sendable>(
        within deadline: Duration, _ body: @Sendable (PostgresTransaction) async throws -> Value
    ) async throws -> Value {
        try await Self.translating {
            try await pool.transaction(within: deadline) { tx in
                try await tx.run([
                    PostgresStatement("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"),
                    PostgresStatement("SET LOCAL statement_timeout = 0"),
                    PostgresStatement("SET LOCAL idle_in_transaction_session_timeout = 0"),
                ])
                return try await body(tx)
            }
        }
    }

    /// Names the administrator of this task for the triggers, until the transaction ends.
    private static func acting() -> [PostgresStatement] {
        guard let actor = ChangeActor.current else { return [] }
        return [PostgresStatement("SELECT set_config('ostiary.actor', $1, true)", [actor.keepable])]
    }

    nonisolated(nonsending) static func measuring<Value: Sendable>(
        _ function: StaticString, _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        try await RequestTrace.measure(.store, "store \(function)", attributes: [.system("postgresql")]) {
            try await translating(body)
        }
    }

    nonisolated(nonsending) static func translating<Value: Sendable>(
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as PostgresError {
            throw StoreError(error)
        }
    }
}

extension StoreError {
    init(_ error: PostgresError) {
        self =
            switch error {
            case .closed: .closed
            case .overloaded: .overloaded
            case .mismatch(let column): .damaged(detail: "column \(column)")
            default: .postgres(error)
            }
    }
}
