import Foundation
import OstiaryConfiguration
import OstiaryDoctor
import OstiaryEngine
import OstiaryStore

/// Gathers the facts of a deployment, all at the same time, and gives them to the checks.
struct DoctorExamination: Sendable {
    let resolved: ResolvedConfiguration
    /// Nil in development without a file.
    let file: ConfigurationFile?
    /// The directory of backups; nil if none is named.
    let backups: String?
    let system: SystemDependencies

    func checks() async -> [any DoctorCheck] {
        async let stored = resolved.observeStore(system)
        let newest = backups.map(newestBackup)
        let store = await stored
        let now = system.now()
        let configuration = resolved.configuration
        var backupPath: String?
        if case .value(let backup?) = newest { backupPath = backup.path }
        var checks: [any DoctorCheck] = [
            ConfigurationCheck(problem: nil, isDevelopment: configuration.mode == .development),
            FileModesCheck(files: resolved.fileFacts(of: file, backup: backupPath)),
            DiskSpaceCheck(volumes: resolved.volumeFacts(backups: backups)),
            OpenFilesCheck(facts: store.openFiles, connections: configuration.limits.connections),
        ]
        if let facts = store.databaseFile { checks.append(DatabaseFileCheck(facts: facts)) }
        if let facts = store.postgres { checks.append(PostgresCheck(facts: facts)) }
        checks += [
            CommitLatencyCheck(durations: store.commits),
            SigningKeyAgeCheck(keys: store.signingKeys, now: now),
            EncryptionKeyCheck(facts: store.encryptionKeys),
            BackupAgeCheck(newest: newest, directory: backups ?? "", now: now),
            ClockCheck(readings: .value(store.clock)),
        ]
        return checks
    }

    private func newestBackup(in directory: String) -> Observed<BackupFacts?> {
        do throws(BackupProblem) {
            let newest = try BackupListing.newest(in: directory)
            return .value(newest.map { BackupFacts(path: $0.path, takenAt: $0.takenAt, bytes: $0.bytes) })
        } catch {
            return .unknown(StoreObservations.sentence(of: error))
        }
    }
}
