package import Foundation
import OstiaryCore
package import OstiaryEngine
import Synchronization

/// An app's signing keys, shared with every node and command that uses the same store.
///
/// The store is read at most once a minute, and when a token names an unknown key. So after a rotation on another node,
/// this node signs with the old key for at most a minute, and accepts the new one from the first token that names it.
package final class SigningKeys: RotatableKeys {
    /// The maximum age of the cached keys, in seconds.
    static let reloadSeconds: TimeInterval = 60
    /// The rate limit of store reads for unknown keys: forged key ids must not load the store.
    static let unknownKeys = RateLimit(attempts: 5, perSeconds: 5)

    private let app: AppName
    private let algorithm: SigningAlgorithm
    private let store: any SigningKeyStore
    private let keyRing: KeyRing
    private let overlapSeconds: TimeInterval
    /// Indicates that a read which finds no key creates the first one.
    private let makesKeyOnNeed: Bool
    private let state = Mutex(State())
    private let loads = SingleFlight<AppName, SigningKeySet>()

    private struct State {
        var known: (keys: SigningKeySet, at: Date)?
        /// The number of loads started, so that the result of an earlier load never replaces that of a later one.
        var begun = 0
        var installed = 0
        var unknownKeysFullAt: Date?
    }

    /// Loads the keys, and creates the first one if there is none.
    ///
    /// - Parameter accessTokenSeconds: The lifetime of tokens, in seconds. A retired key is accepted for that long,
    ///   plus the time that the other nodes take to learn of the rotation.
    /// - Throws: ``TokenError``, or the error of the store.
    package init(
        app: AppName, store: any SigningKeyStore, keyRing: KeyRing, accessTokenSeconds: Int, at now: Date
    ) async throws {
        self.app = app
        algorithm = .es256
        self.store = store
        self.keyRing = keyRing
        overlapSeconds = Self.overlapSeconds(tokenSeconds: accessTokenSeconds)
        makesKeyOnNeed = false
        let first = try SigningKeySet.Key.make(for: app, keyRing: keyRing, at: now)
        _ = try await store.add(first, retiringOthersAt: now, onlyIf: .isFirst)
        _ = try await fetch(at: now)
    }

    /// Creates keys without loading them: the first use loads the keys, and creates one if there is none. For keys that
    /// are slow to generate and that many servers never need.
    ///
    /// - Parameters:
    ///   - app: A name that no other keys are stored under: each algorithm is a set of its own with its own rotation.
    ///   - tokenSeconds: The lifetime of tokens, in seconds. A retired key is published for that long, plus the time
    ///     that the other nodes take to learn of the rotation.
    package init(
        app: AppName, algorithm: SigningAlgorithm, store: any SigningKeyStore, keyRing: KeyRing, tokenSeconds: Int
    ) {
        self.app = app
        self.algorithm = algorithm
        self.store = store
        self.keyRing = keyRing
        overlapSeconds = Self.overlapSeconds(tokenSeconds: tokenSeconds)
        makesKeyOnNeed = true
    }

    private static func overlapSeconds(tokenSeconds: Int) -> TimeInterval {
        TimeInterval(tokenSeconds) + reloadSeconds + TimeInterval(AccessClaims.clockDifferenceSeconds)
    }

    @discardableResult
    package func rotate(at now: Date, revokingEarlier: Bool) async throws -> StoredSigningKey {
        let key = try SigningKeySet.Key.make(algorithm, for: app, keyRing: keyRing, at: now)
        let retirement = revokingEarlier ? now : now.addingTimeInterval(overlapSeconds)
        _ = try await store.add(key, retiringOthersAt: retirement, onlyIf: .always)
        _ = try await fetch(at: now)
        return key
    }

    package func rotate(after lifetime: TimeInterval, at now: Date) async throws -> StoredSigningKey? {
        let start = now.addingTimeInterval(Self.publishedAheadSeconds)
        // The latest start that a schedule can have given a key, with a day for the difference of clocks.
        let latest = start.addingTimeInterval(Self.publishedAheadSeconds)
        // The store is asked, because a load would create a key where there is none.
        let known = try await store.signingKeys(of: app, at: now).filter { $0.createdAt <= latest }
        let newest = known.filter { $0.retiresAt == nil }.signing(at: latest) ?? known.signing(at: now)
        guard let newest else { return nil }
        var key: StoredSigningKey?
        if newest.createdAt.addingTimeInterval(lifetime) <= start {
            let next = try SigningKeySet.Key.make(algorithm, for: app, keyRing: keyRing, at: start)
            let isAdded = try await store.add(
                next, retiringOthersAt: start.addingTimeInterval(overlapSeconds),
                onlyIf: .followsKey(from: newest.createdAt, until: latest))
            if isAdded { key = next }
        }
        do {
            // Also publishes what another node has added.
            _ = try await fetch(at: now)
        } catch {
            // A key that was added has to be reported, and the next reload reads it.
            guard key != nil else { throw error }
        }
        return key
    }

    /// Returns the keys that are accepted at `now`, the newest first. Their private halves are sealed.
    package func list(at now: Date) async throws -> [StoredSigningKey] {
        try await fetch(at: now).keys.filter { $0.isAccepted(at: now) }.map(\.stored)
    }

    /// Returns the public halves as a JSON Web Key Set. Source: RFC 7517 §5.
    package func publicKeySet(at now: Date) async throws -> [UInt8] {
        try await Self.publicKeySet(of: [self], at: now)
    }

    /// Returns the public halves of several sets of keys as one JSON Web Key Set. Source: RFC 7517 §5.
    package static func publicKeySet(of sets: [SigningKeys], at now: Date) async throws -> [UInt8] {
        var webKeys: [JSONWebKey] = []
        for set in sets {
            webKeys += try await set.keys(at: now).keys.filter { $0.isAccepted(at: now) }.map(\.webKey)
        }
        return try canonicalJSON(JSONWebKeySet(keys: webKeys))
    }

    func keys(at now: Date) async throws -> SigningKeySet {
        if let keys = keysIfFresh(at: now) { return keys }
        return try await load(at: now).keys
    }

    /// Returns the key that signs new tokens at `now`.
    func current(at now: Date) async throws -> SigningKeySet.Key { try await keys(at: now).current(at: now) }

    /// Returns the key with that id, if tokens signed with it are accepted at `now`.
    func key(_ kid: String, at now: Date) async throws -> SigningKeySet.Key? {
        var keys = try await keys(at: now)
        var isNews = false
        while keys[kid] == nil, !isNews, mayLookForUnknownKey(at: now) {
            // A load that was already in progress may have read the store before the key was added: then load once
            // more.
            (keys, isNews) = try await load(at: now)
        }
        guard let key = keys[kid], key.isAccepted(at: now) else { return nil }
        return key
    }

    private func keysIfFresh(at now: Date) -> SigningKeySet? {
        state.withLock { state in
            guard let known = state.known, abs(now.timeIntervalSince(known.at)) < Self.reloadSeconds else { return nil }
            return known.keys
        }
    }

    private func mayLookForUnknownKey(at now: Date) -> Bool {
        if loads.isRunning(app) { return true }
        return state.withLock { state in
            switch Self.unknownKeys.verdict(fullAt: state.unknownKeysFullAt, now: now) {
            case .allowed(let fullAt):
                state.unknownKeysFullAt = fullAt
                return true
            case .wait: return false
            }
        }
    }

    /// Reads the store, or joins the read in progress.
    ///
    /// - Returns: The keys, and `true` if the read began with this call.
    private func load(at now: Date) async throws -> (keys: SigningKeySet, isNews: Bool) {
        let load = try await loads.run(app) { try await self.fetch(at: now) }
        return (load.value, load.isOwn)
    }

    private func fetch(at now: Date) async throws -> SigningKeySet {
        let number = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        var stored = try await store.signingKeys(of: app, at: now)
        if stored.isEmpty, makesKeyOnNeed {
            let first = try SigningKeySet.Key.make(algorithm, for: app, keyRing: keyRing, at: now)
            // Another node may have been faster: then its key is the one that is read.
            _ = try await store.add(first, retiringOthersAt: now, onlyIf: .isFirst)
            stored = try await store.signingKeys(of: app, at: now)
        }
        let keys = try SigningKeySet(stored, of: app, keyRing: keyRing, at: now)
        return state.withLock { state in
            if let known = state.known, state.installed > number { return known.keys }
            state.installed = number
            state.known = (keys, now)
            return keys
        }
    }
}
