import Logging
import OstiaryEngine
import OstiaryPostgres

/// A PostgreSQL store that a copy fills. Its own rows record the copy's progress.
struct CopyTarget: Sendable {
    private let pool: PostgresPool
    private let system: SystemDependencies

    /// The timeout of a request: a page of large rows on a slow network, and a failover to a standby, exceed the usual
    /// one.
    private static let patience = Duration.seconds(60)

    /// Opens the target and brings its schema up to date.
    ///
    /// - Throws: ``StoreError``.
    init(_ settings: PostgresSettings, system: SystemDependencies, log: Logger) async throws {
        let pool = PostgresPool(settings, log: log)
        self.pool = pool
        self.system = system
        do {
            try await Self.translating {
                try await PostgresMigration(pool: pool, system: system, database: settings.database).run()
            }
        } catch {
            await pool.close()
            throw error
        }
    }

    func close() async { await pool.close() }

    /// Records that a copy is in progress, so that no server starts on a partial copy. Idempotent.
    ///
    /// - Throws: ``StoreCopyProblem/occupied(table:)``, ``StoreCopyProblem/finished``; ``StoreError``.
    func begin() async throws {
        let now = system.now().milliseconds
        try await Self.translating {
            try await pool.transaction { transaction in
                try await transaction.run(
                    """
                    CREATE TABLE IF NOT EXISTS store_copy (
                        is_only boolean PRIMARY KEY CHECK (is_only),
                        begun_at bigint NOT NULL,
                        finished_at bigint
                    )
                    """)
                let notes = try await transaction.run("SELECT finished_at IS NOT NULL FROM store_copy")
                if let note = notes.first {
                    guard try note.bool(0) == false else { throw StoreCopyProblem.finished }
                    return
                }
                for table in CopiedTable.all {
                    let answer = try await transaction.run("SELECT EXISTS (SELECT 1 FROM \(table.name))")
                    guard try answer.first?.bool(0) == false else {
                        throw StoreCopyProblem.occupied(table: table.name)
                    }
                }
                try await transaction.run(
                    "INSERT INTO store_copy (is_only, begun_at) VALUES (true, $1) ON CONFLICT DO NOTHING", [now])
            }
        }
    }

    /// Creates the monthly tables for the audit events, where they are missing.
    func keepAuditMonths(_ months: [AuditMonth]) async throws {
        try await PostgresStore(pool, system: system).keepAuditMonths(months)
    }

    /// Returns the position of a table's copy: the key of the last row in the target; nil if there is none.
    func position(in table: CopiedTable) async throws -> [CopiedValue]? {
        try await read(table.lastKey).first.map { try CopiedValue.read($0, table.keys) }
    }

    func count(_ table: CopiedTable) async throws -> Int {
        try await read("SELECT count(*) FROM \(table.name)").value { Int(try $0.integer()) } ?? 0
    }

    /// Adds rows in one transaction; existing rows stay unchanged.
    func add(_ rows: [[CopiedValue]], to table: CopiedTable) async throws {
        try await write(table.insertion, [table.json(rows)])
    }

    func rows(of table: CopiedTable, after key: [CopiedValue]?, limit: Int) async throws -> [[CopiedValue]] {
        let page = table.pageStatement(after: key, limit: limit)
        return try await read(page.sql, page.parameters).map { try CopiedValue.read($0, table.columns) }
    }

    /// Sets a table's sequence, so that its next row is numbered above `number`.
    func setNumbering(of table: CopiedTable, above number: Int64) async throws {
        guard number > 0 else { return }
        try await write(table.numbering, [number])
    }

    func finish() async throws {
        try await write(
            "UPDATE store_copy SET finished_at = $1 WHERE finished_at IS NULL", [system.now().milliseconds])
    }

    private func read(_ sql: String, _ parameters: [any PostgresParameter] = []) async throws -> PostgresRows {
        try await Self.translating { try await pool.read(sql, parameters, within: Self.patience) }
    }

    private func write(_ sql: String, _ parameters: [any PostgresParameter] = []) async throws {
        _ = try await Self.translating { try await pool.write(sql, parameters, within: Self.patience) }
    }

    private static func translating<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as PostgresError { throw StoreError(error) }
    }
}

extension PostgresStore {
    /// Refuses a database that holds a partial copy, where accounts would be missing.
    ///
    /// - Throws: ``StoreCopyProblem/unfinished``; ``StoreError``.
    package func checkCopy() async throws {
        let isThere = try await read("SELECT to_regclass('store_copy') IS NOT NULL").value { try $0.bool() }
        guard isThere == true else { return }
        let isUnfinished = try await read("SELECT EXISTS (SELECT 1 FROM store_copy WHERE finished_at IS NULL)")
            .value { try $0.bool() }
        guard isUnfinished == false else { throw StoreCopyProblem.unfinished }
    }
}
