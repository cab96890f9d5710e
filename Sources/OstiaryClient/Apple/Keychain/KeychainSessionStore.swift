#if canImport(Security)
import Foundation
public import OstiaryContracts
import Security

/// Keeps an app's sessions in the keychain, as its contract says; what an ``AuthClient`` uses on Apple's platforms.
///
/// One item holds everything, of each contract and base URL its own. Where the contract names items, those hold the current
/// session's tokens, as an app without this SDK had left them, and one more item the rest. Nothing is deleted because a
/// flag elsewhere is missing: an app that is installed again finds what the former installation left.
///
/// - Important: On macOS the app must be signed with the entitlement `keychain-access-groups`. A program without it uses a
///   ``FileSessionStore``, which a client that is given no store chooses by itself.
public final class KeychainSessionStore: SessionStore {
    /// The name of the app in the keychain.
    public let service: String
    let record: KeychainRecord
    private let named: NamedItems?
    private let protectedData: ProtectedData
    private let queue = KeychainQueue()

    /// - Parameters:
    ///   - accessGroup: The group that shares the items, among the app's entitlements; nil for all that it has, and the
    ///     first of them for what is new.
    ///   - binding: Nil to let whoever may use the app use the session; see ``KeychainBinding``.
    public convenience init(
        contract: Contract, baseURL: BaseURL, accessGroup: String? = nil, binding: KeychainBinding? = nil
    ) {
        self.init(
            contract: contract.name, rules: contract.client.keychain, baseURL: baseURL, accessGroup: accessGroup,
            binding: binding)
    }

    init(
        contract: String, rules: KeychainRules, baseURL: BaseURL, accessGroup: String? = nil,
        binding: KeychainBinding? = nil, protectedData: ProtectedData = .ofThisDevice
    ) {
        let app = StoredApp(contract: contract, baseURL: baseURL)
        service = rules.service ?? Bundle.main.bundleIdentifier ?? "ostiary"
        let keychain = Keychain(
            service: service, accessGroup: accessGroup, accessible: rules.accessible,
            thisDeviceOnly: rules.thisDeviceOnly)
        record = KeychainRecord(
            of: app, in: keychain, binding: binding, protectedData: protectedData, queue: queue)
        named = rules.items.isEmpty ? nil : NamedItems(accounts: rules.items, app: app, keychain: keychain)
        self.protectedData = protectedData
    }

    /// What the item is called that holds everything.
    var account: String { record.account }

    public func read() async -> StoredSessions {
        do throws(StoreProblem) {
            let stored = try await stored()
            return stored.isAbsent ? .absent : .found(stored.saved)
        } catch {
            return .unavailable(error)
        }
    }

    /// Another process may write meanwhile; then `change` is asked again, about what there is now.
    ///
    /// Where the contract names items, a change that throws may have been made: what is missing of it is done with the next.
    public func change<Result: Sendable>(
        _ change: @Sendable (inout SavedSessions) -> Result
    ) async throws(StoreProblem) -> Result {
        for _ in 0..<Self.mostAttempts {
            let stored = try await stored()
            var saved = stored.saved
            let result = change(&saved)
            if try await write(saved, over: stored) { return result }
        }
        throw .busy
    }

    /// More than others can write before they are done with what they have to write.
    private static let mostAttempts = 1000

    /// Returns at once. A lock that is held while the app is suspended gets it killed; of two processes that refresh at
    /// once, each finds the other's tokens in the store.
    public func refreshTurn() async throws(StoreProblem) -> any RefreshTurn { UnsharedRefreshTurn() }

    // MARK: Which of the two places

    private enum Place: Sendable {
        case record(KeychainRecord.State)
        case named(NamedItems.State)
    }

    private struct Stored: Sendable {
        var saved: SavedSessions
        var place: Place
        var isAbsent: Bool
    }

    private func stored() async throws(StoreProblem) -> Stored {
        let state = try await record.state()
        if state.item != nil { return Stored(saved: state.saved, place: .record(state), isAbsent: false) }
        var stored = Stored(saved: .none, place: .record(state), isAbsent: true)
        var isWhole = false
        if let state = try await namedState() {
            stored = Stored(
                saved: state.saved, place: record.isBound ? stored.place : .named(state), isAbsent: state.isAbsent)
            isWhole = state.isWhole
        }
        if !isWhole, await !protectedData.isAvailable() { throw .keychain(status: errSecInteractionNotAllowed) }
        return stored
    }

    /// - Returns: Nil if the contract names no items, or another client of the app has them.
    private func namedState() async throws(StoreProblem) -> NamedItems.State? {
        guard let named else { return nil }
        return try await queue.run { () throws(StoreProblem) in try named.state() }
    }

    /// - Returns: False if another process was faster.
    private func write(_ saved: SavedSessions, over stored: Stored) async throws(StoreProblem) -> Bool {
        switch stored.place {
        case .named(let state):
            guard let named else { return true }
            return try await queue.run { () throws(StoreProblem) in try named.write(saved, over: state) }
        case .record(let state):
            guard try await record.write(saved, over: state) else { return false }
            guard record.isBound, let named, let state = try await namedState() else { return true }
            // Sealed now: a token in the clear beside it would make that idle.
            return try await queue.run { () throws(StoreProblem) in try named.write(.none, over: state) }
        }
    }
}
#endif
