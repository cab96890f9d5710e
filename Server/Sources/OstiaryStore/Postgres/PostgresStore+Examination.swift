package import Logging
package import OstiaryEngine
package import OstiaryPostgres

extension PostgresStore {
    /// Opens the database as it is, for reading. It is not migrated.
    ///
    /// - Returns: Nil if it has no tables of Ostiary's, or those of another version.
    /// - Throws: ``StoreError``.
    package static func reading(
        _ settings: PostgresSettings, system: SystemDependencies, log: Logger
    ) async throws -> PostgresStore? {
        let store = PostgresStore(PostgresPool(settings, log: log), system: system)
        do {
            if try await store.hasCurrentSchema { return store }
        } catch {
            await store.close()
            throw error
        }
        await store.close()
        return nil
    }
}
