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
/// - Important: On macOS the app must be signed with the entitlement `keychain-access-groups`; a program without it uses a
///   ``FileSessionStore``.
public final class KeychainSessionStore: SessionStore {
    /// The name of the app in the keychain.
    public var service: String { keychain.service }
    let account: String
    private let keychain: Keychain
    private let app: StoredApp
    private let named: NamedItems?
    private let binding: StoreKeys?
    private let key: KeychainKey?
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
        app = StoredApp(contract: contract, baseURL: baseURL)
        keychain = Keychain(
            service: rules.service ?? Bundle.main.bundleIdentifier ?? "ostiary", accessGroup: accessGroup,
            accessible: rules.accessible, thisDeviceOnly: rules.thisDeviceOnly)
        // No base URL has a space in it, so that no two apps have one name.
        account = "ostiary \(contract) \(baseURL.text)"
        named = rules.items.isEmpty ? nil : NamedItems(accounts: rules.items, app: app, keychain: keychain)
        let (keychain, account) = (keychain, account)
        key = binding.map { $0.key("\(account) key", in: keychain) }
        self.binding = key.map { StoreKeys(SealingKeySources(chosen: $0, others: [])) }
        self.protectedData = protectedData
    }

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

    // MARK: What is there

    private enum Place: Sendable {
        case record(Keychain.Item?, KeyMark?)
        case named(NamedItems.State)
    }

    private struct Stored: Sendable {
        var saved: SavedSessions
        var place: Place
        var isAbsent: Bool
    }

    private func stored() async throws(StoreProblem) -> Stored {
        let account = account
        let item = try await queue.run { [keychain] () throws(StoreProblem) in try keychain.item(account) }
        if let item {
            let (saved, mark) = try await opened(item)
            return Stored(saved: saved, place: .record(item, mark), isAbsent: false)
        }
        var stored = Stored(saved: .none, place: .record(nil, nil), isAbsent: true)
        var isWhole = false
        if let state = try await namedState() {
            stored = Stored(
                saved: state.saved, place: binding == nil ? .named(state) : stored.place, isAbsent: state.isAbsent)
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

    private func opened(_ item: Keychain.Item) async throws(StoreProblem) -> (SavedSessions, KeyMark?) {
        do throws(StoredFormProblem) {
            return (try SavedSessions(document: item.value), nil)
        } catch .newerVersion {
            throw .newerVersion
        } catch {
            return try await unsealed(item)
        }
    }

    private func unsealed(_ item: Keychain.Item) async throws(StoreProblem) -> (SavedSessions, KeyMark?) {
        guard let form = try? StoredForm(item.value, of: app), case .sealed(let sealed) = form else {
            throw .damaged(setAside: try await setAside(item))
        }
        guard let binding else { throw .sealingKey(.missing, source: sealed.mark.source) }
        let key: SealingKey
        do throws(StoreProblem) {
            key = try await binding.key(of: sealed.mark)
        } catch .sealingKey(.missing, source: KeychainKey.sourceName), .sealingKey(
            .different, source: KeychainKey.sourceName)
        {
            // What those faces alone could open, nobody opens any more: without this it would be asked for at each start.
            _ = try await setAside(item)
            throw .enrolmentChanged
        }
        do throws(StoredFormProblem) {
            return (try sealed.open(for: app, with: key), sealed.mark)
        } catch .newerVersion {
            throw .newerVersion
        } catch {
            throw .damaged(setAside: try await setAside(item))
        }
    }

    private func setAside(_ item: Keychain.Item) async throws(StoreProblem) -> String {
        let account = account
        let name = try await queue.run { [keychain] () throws(StoreProblem) in
            try keychain.setAside(account, over: item)
        }
        guard let name else { throw .busy }
        return name
    }

    // MARK: Writing

    /// - Returns: False if another process was faster.
    private func write(_ saved: SavedSessions, over stored: Stored) async throws(StoreProblem) -> Bool {
        switch stored.place {
        case .named(let state):
            guard let named else { return true }
            return try await queue.run { () throws(StoreProblem) in try named.write(saved, over: state) }
        case .record(let item, let mark):
            guard try await write(saved, to: item, mark, over: stored) else { return false }
            guard binding != nil, let named, let state = try await namedState() else { return true }
            // Sealed now: a token in the clear beside it would make that idle.
            return try await queue.run { () throws(StoreProblem) in try named.write(.none, over: state) }
        }
    }

    private func write(
        _ saved: SavedSessions, to item: Keychain.Item?, _ mark: KeyMark?, over stored: Stored
    ) async throws(StoreProblem) -> Bool {
        let account = account
        if saved.isEmpty {
            guard let item else { return true }
            let isGone = try await queue.run { [keychain] () throws(StoreProblem) in
                try keychain.remove(account, over: item)
            }
            // The next session gets a key of its own, and nobody is asked for the one before.
            if isGone { try await key?.remove() }
            return isGone
        }
        // To the byte: two texts that Swift calls equal may be different tokens.
        let isSame = item != nil && (mark != nil) == (binding != nil) && saved.document == stored.saved.document
        if isSame { return true }
        let bytes = try await bytes(of: saved, over: mark)
        return try await queue.run { [keychain] () throws(StoreProblem) in
            try keychain.write(bytes, to: account, over: item) != nil
        }
    }

    private func bytes(of saved: SavedSessions, over mark: KeyMark?) async throws(StoreProblem) -> [UInt8] {
        guard let binding else { return saved.document }
        let key: SealingKey
        let source: String
        if let mark {
            (key, source) = (try await binding.key(of: mark), mark.source)
        } else {
            (key, source) = try await binding.keyForWriting(over: nil)
        }
        guard let sealed = try? SealedSessions(saved, of: app, with: key, from: source) else {
            throw .sealingKey(.malformed, source: source)
        }
        return sealed.bytes
    }
}
#endif
