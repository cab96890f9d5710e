#if canImport(Security)
import OstiaryCore
import Security
import Synchronization

/// Keeps sessions in the keychain, or in a sealed file where the program lacks the entitlement for it.
///
/// On macOS a program that is not signed with `keychain-access-groups`, one from a terminal for example, is refused the
/// data protection keychain at every call. The choice is made once a run, at the first answer that tells; sessions are not moved
/// between the two. A refusal for any other reason, such as a locked keychain, is no reason to use the file.
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

    func refreshTurn() async throws(StoreProblem) -> any RefreshTurn { try await store().refreshTurn() }

    /// The store in use. As long as the keychain cannot tell, it is the keychain, and is asked again with the next call.
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

    /// - Returns: Whether this call has made the choice.
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
