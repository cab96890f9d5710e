import Foundation
import Logging
import OstiaryConfiguration
import OstiaryDelivery
import OstiaryEngine
import OstiaryIdentities
import OstiaryStore

/// The store, threads, connections and counts of a server, which outlive a reload of its configuration.
struct ServerResources {
    let store: any Store
    /// The secrets that development mode generates; nil where the configuration has to give them.
    let developmentSecrets: DevelopmentSecrets?
    /// The threads that hash passwords.
    let passwordPool: BcryptPool
    /// The connections to identity providers.
    let upstreams: Upstreams
    let compromisedPasswords: CompromisedPasswordSources
    let inMemoryRateLimiter = InMemoryRateLimiter()
    let networkFailures = NetworkFailures()
    let serviceKeyUses = ServiceKeyUses()
    /// The counts of operations by their outcome.
    let operationCounts = OperationCounts()
    /// The counts of messages that a cap suppressed.
    let capHits = MessageCapHits()
    /// The counts of sign-ins that a limit on attacks stopped.
    let attackCounts = AttackCounts()
    /// The counts of messages that were sent or given up.
    let deliveryCounts = DeliveryCounts()
    let incidents: IncidentLog
    /// The messages of channels that are not configured in development.
    let inbox: DevelopmentInbox
    let system: SystemDependencies
    let log: Logger

    /// Opens the store; with SQLite, creates data directory, database and development secrets if they are missing.
    ///
    /// - Parameter patience: The longest time to wait for a database that cannot be reached.
    /// - Throws: ``StoreError`` above all.
    init(
        _ resolved: ResolvedConfiguration, system: SystemDependencies = .system, patience: Duration = .zero, log: Logger
    ) async throws {
        store = try await resolved.openStore(system, patience: patience, log: log)
        // Only after the database is locked: two servers that start at once would create two sets of secrets.
        developmentSecrets = try resolved.developmentSecrets(system)
        passwordPool = try BcryptPool(onFailedSelfTest: {
            log.error(
                "bcrypt failed its self-test on this machine: libcrypt hashes passwords, at a third of the speed")
        })
        upstreams = Upstreams(mode: resolved.configuration.mode, system: system, log: log)
        compromisedPasswords = CompromisedPasswordSources(upstreams: upstreams)
        incidents = IncidentLog(log: log, system: system)
        inbox = resolved.routes.inbox
        self.system = system
        self.log = log
    }

    /// Closes the store, once no service runs any more.
    func close() async throws {
        await serviceKeyUses.finish()
        try await store.close()
    }
}
