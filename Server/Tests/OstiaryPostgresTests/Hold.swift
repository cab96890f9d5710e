import OstiaryPostgres

/// A transaction that holds one connection of a pool, and what its statement locked, until it is released.
struct Hold {
    private let task: Task<Void, any Error>
    private let end = Meeting(of: 2)

    /// Returns when `sql` has run.
    init(of pool: PostgresPool, _ sql: String = "SELECT 1") async throws {
        let begun = Meeting(of: 2)
        task = Task { [end] in
            do {
                try await pool.transaction { transaction in
                    try await transaction.run(sql)
                    await begun.meet()
                    await end.meet()
                }
            } catch {
                // Releases the waiting caller, since the statement will not begin.
                await begun.meet()
                throw error
            }
        }
        await begun.meet()
    }

    func release() async throws {
        await end.meet()
        try await task.value
    }
}
