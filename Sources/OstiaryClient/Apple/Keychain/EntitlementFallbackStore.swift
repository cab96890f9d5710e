#if canImport(Security)
import OstiaryCore
import Security
import Synchronization

/// A store in the keychain, or in a sealed file if the program lacks the entitlement for the keychain.
///
/// On macOS, every call to the data protection keychain fails in a program that is not signed with
/// `keychain-access-groups`, for example a command-line tool. The choice is made once per run, at the first conclusive
/// answer; sessions are not moved between the two stores. Any other error, such as a locked keychain, does not select
/// the file.
///
/// Source: Apple TN3137, "On Mac keychain APIs and implementations".
final class EntitlementFallbackStore: SessionStore {
    let keychain: any SessionStore
    private let file: any SessionStore
    private let log: ClientLog
    private let choice = Mutex<(any SessionStore)?>(nil)

    init(keychain: any SessionStore, file: any SessionStore, log: ClientLog) {
        self.keychain = keychain
        self.file = file
        self.log = log
    }

    func read() async -> StoredSessions { await store().read() }

    func change<Result: Sendable>(
        _ change: @Sendable (inout SavedSessions) -> Result
    ) async throws(StoreProblem) -> Result {
        try await store().change(change)
    }

    func refreshLease() async throws(StoreProblem) -> any RefreshLease { try await store().refreshLease() }

    /// Returns the store in use. While the keychain's answer is inconclusive, it is the keychain, which is checked
    /// again on the next call.
    private func store() async -> any SessionStore {
        if let chosen = choice.withLock({ $0 }) { return chosen }
        switch await keychain.read() {
        case .unavailable(.keychain(status: errSecMissingEntitlement)):
            if choose(file) {
                log.notice(
                    .store,
                    "not signed with keychain-access-groups: sessions are kept in a sealed file, not in the keychain")
            }
            return file
        case .unavailable: return keychain
        case .found, .absent:
            choose(keychain)
            return keychain
        }
    }

    /// Makes the choice unless it has been made.
    ///
    /// - Returns: `true` if this call has made it.
    @discardableResult
    private func choose(_ store: any SessionStore) -> Bool {
        choice.withLock { choice in
            guard choice == nil else { return false }
            choice = store
            return true
        }
    }
}
#endif
