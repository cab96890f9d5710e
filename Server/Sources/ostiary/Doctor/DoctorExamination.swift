import Foundation
import OstiaryConfiguration
import OstiaryDoctor
import OstiaryEngine
import OstiaryNIO
import OstiaryStore

/// Gathers the facts of a deployment, all at the same time, and gives them to the checks.
struct DoctorExamination: Sendable {
    let resolved: ResolvedConfiguration
    /// Nil in development without a file.
    let file: ConfigurationFile?
    /// The directory of backups; nil if none is named.
    let backups: String?
    /// The only authorities to trust; nil for the system's.
    let roots: (path: String, roots: TrustRoots)?
    /// The name servers to ask; nil for none.
    let nameServers: NameServerProbe?
    /// The selectors of the mail provider's signatures.
    let selectors: [String]
    /// `true` if nothing but the store may be connected to.
    let isOffline: Bool
    let system: SystemDependencies

    func checks() async -> [any DoctorCheck] {
        async let stored = resolved.observeStore(system)
        async let seen = self.outside()
        async let mailed = self.mail()
        let newest = backups.map(newestBackup)
        let (store, outside, mail) = await (stored, seen, mailed)
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
        let callbacks = resolved.callbacks
        if !callbacks.isEmpty { checks.append(CallbackCheck(callbacks: callbacks)) }
        if let facts = store.databaseFile { checks.append(DatabaseFileCheck(facts: facts)) }
        if let facts = store.postgres { checks.append(PostgresCheck(facts: facts)) }
        checks += [
            CommitLatencyCheck(durations: store.commits),
            SigningKeyAgeCheck(keys: store.signingKeys, now: now),
            EncryptionKeyCheck(facts: store.encryptionKeys),
            BackupAgeCheck(newest: newest, directory: backups ?? "", now: now),
            ClockCheck(readings: .value(store.clock + outside.clocks)),
        ]
        return checks + outside.checks + mail
    }

    private func mail() async -> [any DoctorCheck] {
        guard !isOffline, let nameServers else { return [] }
        return await MailExamination(resolved: resolved, nameServers: nameServers, selectors: selectors).checks()
    }

    private func outside() async -> OutsideExamination.Result {
        if isOffline {
            return OutsideExamination.Result(checks: [OutsideCheck(reason: "The option --offline was passed.")])
        }
        guard resolved.configuration.publicURL != nil else {
            return OutsideExamination.Result(checks: [OutsideCheck(reason: "The configuration has no public_url.")])
        }
        return await OutsideExamination(resolved: resolved, roots: roots, system: system).result()
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
