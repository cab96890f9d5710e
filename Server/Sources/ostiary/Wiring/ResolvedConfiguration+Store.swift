import Crypto
import Foundation
import Logging
import OstiaryConfiguration
import OstiaryCore
import OstiaryEngine
import OstiaryPostgres
import OstiaryStore

extension ResolvedConfiguration {
    /// Opens the store. With SQLite, creates the data directory and the database if they are missing.
    ///
    /// - Parameter patience: The longest time to wait for a database that cannot be reached.
    /// - Throws: ``StoreError`` above all; ``StoreCopyProblem/unfinished``.
    func openStore(_ system: SystemDependencies, patience: Duration, log: Logger) async throws -> any Store {
        guard let postgres else {
            let directory = try DataDirectory(making: configuration.dataDirectory)
            if directory.isWritableByOthers {
                log.warning("other users can write into the data directory", metadata: ["path": "\(directory.path)"])
            }
            return try SQLiteStore(path: databasePath ?? "", system: system)
        }
        let store = try await Self.waiting(patience, log: log) {
            try await PostgresStore.open(postgres, system: system, log: log)
        }
        do {
            try await store.checkCopy()
            for setting in try await store.unsafeSettings() {
                log.warning("the database server can lose acknowledged writes", metadata: ["setting": "\(setting)"])
            }
            if try await store.hasOpenSearchPath {
                log.warning(
                    "a schema named after the database's user would come before the tables' own: set search_path")
            }
        } catch {
            await store.close()
            throw error
        }
        return store
    }

    /// Returns the secrets that development mode generates where one data directory holds everything; nil otherwise.
    func developmentSecrets(_ system: SystemDependencies) throws -> DevelopmentSecrets? {
        guard configuration.mode == .development, !configuration.store.isShared else { return nil }
        return try DataDirectory(existing: configuration.dataDirectory).developmentSecrets(system)
    }

    /// Returns the keys that are derived from the configured encryption keys, or from the generated one.
    func keyRing(
        of store: any Store, _ secrets: DevelopmentSecrets?, at now: Date
    ) async throws -> KeyRing {
        var keys = configuration.encryptionKeys.map { SymmetricKey(data: $0.reveal()) }
        let isGenerated = keys.isEmpty
        if isGenerated, let secrets { keys = [SymmetricKey(data: secrets.encryptionKey)] }
        guard !keys.isEmpty else {
            throw ConfigurationProblem(place: nil, key: "encryption_key", need: "needs 32 bytes in base64")
        }
        // The file of generated secrets may be deleted: that ends all sessions.
        return try await KeyRing(of: store, encryptionKeys: keys, at: now, replacesForeignKey: isGenerated)
    }

    /// Repeats `open` until `patience` has passed while the database is temporarily unreachable; logs one warning.
    private static func waiting<Value>(
        _ patience: Duration, log: Logger, _ open: () async throws -> Value
    ) async throws -> Value {
        let deadline = ContinuousClock.now + patience
        var hasSaidSo = false
        while true {
            do {
                return try await open()
            } catch StoreError.postgres(let problem) where problem.isPassing && ContinuousClock.now < deadline {
                if !hasSaidSo {
                    log.warning(
                        "waiting for the database",
                        metadata: ["problem": "\(problem)", "seconds": "\(patience.components.seconds)"])
                }
                hasSaidSo = true
                try await Task.sleep(for: .milliseconds(250))
            }
        }
    }
}

extension PostgresError {
    /// `true` if a retry shortly afterwards may succeed. Opening is idempotent: a retry repeats what an interrupted one
    /// began.
    fileprivate var isPassing: Bool {
        switch self {
        case .unreachable(let reason): reason.isPassing
        case .exhausted, .overloaded, .unknownOutcome: true
        case .refused, .unkeepable, .mismatch, .closed: false
        }
    }
}
