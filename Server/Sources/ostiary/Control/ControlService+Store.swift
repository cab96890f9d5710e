import Logging
import OstiaryEngine
import OstiaryStore

/// The commands on the store as a whole.
extension ControlService {
    func perform(_ command: ControlCommand, on store: any Store) async throws -> ControlReply {
        guard let store = store as? any CheckedStore else { throw ControlReply.unexpected }
        switch command {
        case .backUp(let path, let count):
            let destination = try BackupDestination(path: path, keeping: count)
            let backup = try await StoreBackup.write(store, to: destination, at: dependencies.system.now())
            log.info("backed up", metadata: ["path": "\(backup.path)", "bytes": "\(backup.bytes)"])
            return .backedUp(BackupRecord(backup))
        case .checkStore:
            let apps = Set(dependencies.names.map(\.text))
            let strange = try await store.accountCounts().filter { !apps.contains($0.app) }
            return .findings(
                try await store.findings()
                    + strange.map {
                        StoreFinding(
                            .note, code: "unknown_app", subject: $0.app, count: $0.count,
                            remedy: "These accounts are of an app that the configuration does not have.")
                    })
        case .observeServer: return .serverState(try await ServerState(of: store))
        default: throw ControlReply.unexpected
        }
    }
}
