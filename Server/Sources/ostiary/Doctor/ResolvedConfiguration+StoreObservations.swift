import Crypto
import Foundation
import Logging
import OstiaryConfiguration
import OstiaryCore
import OstiaryDoctor
import OstiaryEngine
import OstiaryPostgres
import OstiaryProvider
import OstiaryStore

extension ResolvedConfiguration {
    /// Observes the store: through the running server if there is one, without opening it a second time.
    func observeStore(_ system: SystemDependencies) async -> StoreObservations {
        guard let postgres else { return await observeSQLite(system) }
        return await observePostgres(postgres, system)
    }

    private func observeSQLite(_ system: SystemDependencies) async -> StoreObservations {
        let path = databasePath ?? ""
        var observations: StoreObservations
        do {
            if let server = try await reachServer(holding: path) {
                observations = await observe(server)
            } else {
                observations = await observeClosedFile(path, system)
            }
        } catch {
            observations = StoreObservations(unknown: StoreObservations.sentence(of: error))
        }
        let synchronous = observations.databaseFile?.synchronous
        observations.databaseFile = DatabaseFileProbe.facts(path: path)
        observations.databaseFile?.synchronous = synchronous
        return observations
    }

    private func observe(_ server: ControlClient) async -> StoreObservations {
        var observations = StoreObservations(unknown: "The running server did not tell.")
        switch await StoreObservations.observed({ try await server.perform(.observeServer, app: nil) }) {
        case .value(.serverState(let state)):
            observations.openFiles = state.openFiles
            observations.commits = .value(CommitDurations(method: .commits, milliseconds: state.commitMilliseconds))
            observations.databaseFile = DatabaseFileProbe.facts(path: databasePath ?? "")
            observations.databaseFile?.synchronous = state.synchronous
        case .value: break
        case .unknown(let reason): observations.commits = .unknown(reason)
        }
        observations.signingKeys = await StoreObservations.observed {
            guard case .keys(let keys) = try await server.perform(.listKeys, app: nil) else {
                throw ControlReply.unexpected
            }
            return keys.filter { $0.retiresAt == nil }.map { SigningKeyFacts(app: $0.app, createdAt: $0.createdAt) }
        }
        observations.encryptionKeys = await StoreObservations.observed {
            try await StoreObservations.encryptionKeys(count: configuration.encryptionKeys.count) { kind, position in
                let command = ControlCommand.sealedValues(kind, after: position, reseals: false)
                guard case .sealedValues(let counts, let next) = try await server.perform(command, app: nil) else {
                    throw ControlReply.unexpected
                }
                return (counts, next)
            }
        }
        return observations
    }

    private func observeClosedFile(_ path: String, _ system: SystemDependencies) async -> StoreObservations {
        var observations = StoreObservations(unknown: "There is no database yet.")
        guard FileManager.default.fileExists(atPath: path) else { return observations }
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            // Under the database's lock, so that no server starts meanwhile.
            let found = try await SQLiteStore.reading(path: path, system: system) { store in
                var observations = observations
                await observe(store, &observations, system)
                return observations
            }
            observations =
                found ?? StoreObservations(unknown: "The database is of another version; the server migrates it.")
        } catch {
            observations = StoreObservations(unknown: StoreObservations.sentence(of: error))
        }
        if let durations = try? await blocking({
            FlushProbe.durations(
                in: directory, count: StoreObservations.commitCount, budget: StoreObservations.commitBudget)
        }) {
            observations.commits = durations
        }
        return observations
    }

    private func observePostgres(
        _ settings: PostgresSettings, _ system: SystemDependencies
    ) async -> StoreObservations {
        let probe = PostgresProbe(settings, log: .forCommands)
        var observations: StoreObservations
        do {
            let (facts, clock) = try await probe.observe(now: system.now)
            observations = StoreObservations(
                unknown: "The database has no tables of this version; the server creates or migrates them.")
            observations.postgres = .value(facts)
            observations.clock = [clock]
            observations.commits = await StoreObservations.observed {
                try await probe.commits(
                    count: StoreObservations.commitCount, budget: StoreObservations.commitBudget)
            }
        } catch {
            await probe.close()
            observations = StoreObservations(unknown: "The database cannot be reached.")
            observations.postgres = .unknown(StoreObservations.sentence(of: error))
            return observations
        }
        await probe.close()
        do {
            guard let store = try await PostgresStore.reading(settings, system: system, log: .forCommands) else {
                return observations
            }
            await observe(store, &observations, system)
            await store.close()
        } catch {
            observations.signingKeys = .unknown(StoreObservations.sentence(of: error))
            observations.encryptionKeys = .unknown(StoreObservations.sentence(of: error))
        }
        return observations
    }

    /// Observes what a store keeps, by reading alone.
    private func observe(
        _ store: any Store, _ observations: inout StoreObservations, _ system: SystemDependencies
    ) async {
        observations.signingKeys = await StoreObservations.observed {
            var keys: [SigningKeyFacts] = []
            for app in try accountNames {
                let current = try await store.signingKeys(of: app, at: system.now()).first { $0.retiresAt == nil }
                if let current { keys.append(SigningKeyFacts(app: app.text, createdAt: current.createdAt)) }
            }
            return keys
        }
        observations.encryptionKeys = await StoreObservations.observed {
            let keys = configuration.encryptionKeys.map { SymmetricKey(data: $0.reveal()) }
            guard let newest = keys.first else { return EncryptionKeyFacts(keyCount: 1) }
            // Opening needs the encryption keys alone, and not the store's own.
            let ring = KeyRing(master: newest, earlier: Array(keys.dropFirst()), derivation: newest)
            let rotation = EncryptionKeyRotation(store: store, keys: ring)
            return try await StoreObservations.encryptionKeys(count: keys.count) { kind, position in
                try await rotation.page(of: kind, after: position, reseals: false)
            }
        }
    }

    /// The names that accounts belong to.
    private var accountNames: [AppName] {
        get throws {
            try apps.map(\.settings.name) + (configuration.idp == nil ? [] : [AppName(ProviderDirectory.appName)])
        }
    }
}
