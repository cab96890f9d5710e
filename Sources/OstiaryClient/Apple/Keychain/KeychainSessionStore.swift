#if canImport(Security)
import Foundation
public import OstiaryContracts
import Security

/// A session store in the keychain, by the rules of the app's contract. ``AuthClient`` uses it by default on Apple's
/// platforms.
///
/// One item holds all sessions of a contract and base URL. If the contract names items, those hold the current
/// session's tokens, in the form of an app without this SDK, and one more item holds the rest. No item is deleted
/// because a flag outside the keychain is missing: a reinstalled app finds the sessions of the former installation.
///
/// - Important: On macOS the app must be signed with the entitlement `keychain-access-groups`. A program without it
///   uses a ``FileSessionStore``, which a client without an explicit store selects by itself.
public final class KeychainSessionStore: SessionStore {
    /// The service attribute of the items: the contract's, else the app's bundle identifier.
    public let service: String
    let record: KeychainRecord
    private let named: NamedItems?
    private let protectedData: ProtectedData
    private let queue = KeychainQueue()

    /// Creates a store for a contract's sessions on one server.
    ///
    /// - Parameters:
    ///   - contract: The contract, which names the service, the accessibility and perhaps the items.
    ///   - baseURL: The base URL of the server.
    ///   - accessGroup: The access group that shares the items, among the app's entitlements; `nil` to read from all of
    ///     the app's groups and to create items in the first.
    ///   - binding: The biometric binding; `nil` to give access to every person who can use the app. See
    ///     ``KeychainBinding``.
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

    /// The account attribute of the item that holds all sessions.
    var account: String { record.account }

    /// Reads the sessions from the keychain, with a prompt if they are bound and the key is not in memory yet. An
    /// unreadable item is renamed, and the problem is ``StoreProblem/damaged(setAside:)``, once for this store and for each
    /// other store that has read the item.
    public func read() async -> StoredSessions {
        do throws(StoreProblem) {
            let stored = try await stored()
            return stored.isAbsent ? .absent : .found(stored.saved)
        } catch {
            return .unavailable(error)
        }
    }

    /// Changes the sessions by compare-and-set. If another process writes concurrently, `change` is called again with
    /// the new sessions.
    ///
    /// If the contract names items, a change that throws may have been made; the next change completes its writes.
    ///
    /// - Throws: ``StoreProblem/busy`` if other processes keep writing; ``StoreProblem/keychain(status:)``,
    ///   ``StoreProblem/sealingKey(_:source:)``, ``StoreProblem/damaged(setAside:)``, ``StoreProblem/newerVersion`` or
    ///   ``StoreProblem/enrolmentChanged`` if the sessions cannot be read or written.
    public func change<Result: Sendable>(
        _ change: @Sendable (inout SavedSessions) -> Result
    ) async throws(StoreProblem) -> Result {
        for _ in 0..<Self.mostAttempts {
            let stored = try await stored()
            var saved = stored.saved
            let result = change(&saved)
            if stored.isAbsent, !saved.hasSessions, try await isBesideDamage(stored.place) {
                saved.hasLostSessions = true
            }
            if try await write(saved, over: stored) { return result }
        }
        throw .busy
    }

    /// The limit of attempts, more than the writes that other processes can have to make.
    private static let mostAttempts = 1000

    /// Returns at once, without a lock. The system kills an app that is suspended with a lock held. Of two processes
    /// that refresh concurrently, each finds the other's tokens in the store.
    public func refreshLease() async throws(StoreProblem) -> any RefreshLease { UnsharedRefreshLease() }

    // MARK: Storage location

    private enum Place: Sendable {
        case record(KeychainRecord.State)
        case named(NamedItems.State)
    }

    private struct Stored: Sendable {
        var saved: SavedSessions
        var place: Place
        var isAbsent: Bool
        /// `true` if every item was found.
        var isWhole: Bool
    }

    private func stored() async throws(StoreProblem) -> Stored {
        try await protectedData.read(
            failingWith: .keychain(status: errSecInteractionNotAllowed), isMissing: { !$0.isWhole }
        ) { () async throws(StoreProblem) in try await storedNow() }
    }

    private func storedNow() async throws(StoreProblem) -> Stored {
        let state = try await record.state()
        let place = Place.record(state)
        if state.item != nil { return Stored(saved: state.saved, place: place, isAbsent: false, isWhole: true) }
        guard let items = try await namedState() else {
            return Stored(saved: .none, place: place, isAbsent: true, isWhole: false)
        }
        return Stored(
            saved: items.saved, place: record.isBound ? place : .named(items), isAbsent: items.isAbsent,
            isWhole: items.isWhole)
    }

    /// Returns `true` if the item that is missing may be a damaged one that was set aside.
    private func isBesideDamage(_ place: Place) async throws(StoreProblem) -> Bool {
        guard case .named = place, let named else { return try await record.isDamagedSetAside() }
        return try await queue.run { () throws(StoreProblem) in try named.isIndexSetAside() }
    }

    /// Returns the state of the named items.
    ///
    /// - Returns: `nil` if the contract names no items, or they belong to another client of the app.
    private func namedState() async throws(StoreProblem) -> NamedItems.State? {
        guard let named else { return nil }
        return try await queue.run { () throws(StoreProblem) in try named.state() }
    }

    /// Writes the sessions to the location they were read from.
    ///
    /// - Returns: `false` if another process has written in the meantime.
    private func write(_ saved: SavedSessions, over stored: Stored) async throws(StoreProblem) -> Bool {
        switch stored.place {
        case .named(let state):
            guard let named else { return true }
            return try await queue.run { () throws(StoreProblem) in try named.write(saved, over: state) }
        case .record(let state):
            guard try await record.write(saved, over: state) else { return false }
            guard record.isBound, let named, let state = try await namedState() else { return true }
            // The sessions are sealed now; tokens left in plaintext beside them would defeat the binding.
            return try await queue.run { () throws(StoreProblem) in try named.write(.none, over: state) }
        }
    }
}
#endif
