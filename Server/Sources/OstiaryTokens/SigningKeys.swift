package import Foundation
import OstiaryCore
package import OstiaryEngine
import Synchronization

/// An app's signing keys, shared with every node and command that works on the same store.
///
/// Reading goes to the store once a minute, and when a token names a key not seen yet. So after a rotation elsewhere this
/// node goes on signing with the old key for a minute at most, and knows the new one as soon as it meets it.
package final class SigningKeys: Sendable {
    /// How old what is known about the keys may be.
    static let reloadSeconds: TimeInterval = 60
    /// How often unknown keys may send us to the store: made-up ones must not become load on it.
    static let unknownKeys = RateLimit(attempts: 5, perSeconds: 5)

    private let app: AppName
    private let algorithm: SigningAlgorithm
    private let store: any SigningKeyStore
    private let keyRing: KeyRing
    private let overlapSeconds: TimeInterval
    /// Whether a read that finds no key makes the first one.
    private let makesKeyOnNeed: Bool
    private let state = Mutex(State())

    private struct State {
        var known: (keys: SigningKeySet, at: Date)?
        var load: Task<SigningKeySet, any Error>?
        /// Loads are numbered, so that one that began earlier never undoes a later one.
        var begun = 0
        var installed = 0
        var unknownKeysFullAt: Date?
    }

    /// Reads the keys, and makes the first one if there is none.
    ///
    /// - Parameter accessTokenSeconds: How long tokens live. A retired key is accepted that long, and as much longer as
    ///   it takes the other nodes to learn of the rotation.
    /// - Throws: ``TokenError``, or what the store throws.
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
        _ = try await store.add(first, retiringOthersAt: now, onlyIfNone: true)
        _ = try await fetch(at: now)
    }

    /// Reads nothing yet: the first need reads the keys, and makes one if there is none. For keys that take long to make
    /// and that many servers never need.
    ///
    /// - Parameters:
    ///   - app: A name that no other keys are kept under: each algorithm is a set of its own, which rotates by itself.
    ///   - tokenSeconds: How long what they sign lives. A retired key is published that long, and as much longer as it
    ///     takes the other nodes to learn of the rotation.
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

    /// Makes a new key, which signs from now on. The old ones are accepted until the last token they signed is over.
    @discardableResult
    package func rotate(at now: Date) async throws -> StoredSigningKey {
        let key = try SigningKeySet.Key.make(algorithm, for: app, keyRing: keyRing, at: now)
        _ = try await store.add(key, retiringOthersAt: now.addingTimeInterval(overlapSeconds), onlyIfNone: false)
        _ = try await fetch(at: now)
        return key
    }

    /// The keys that are accepted at `now`, the newest first; the one in use retires never. Their private halves are
    /// sealed.
    package func list(at now: Date) async throws -> [StoredSigningKey] {
        try await fetch(at: now).keys.filter { $0.isAccepted(at: now) }.map(\.stored)
    }

    /// The public halves as a JSON Web Key Set. Source: RFC 7517 §5.
    package func publicKeySet(at now: Date) async throws -> [UInt8] {
        try await Self.publicKeySet(of: [self], at: now)
    }

    /// The public halves of several sets of keys as one JSON Web Key Set. Source: RFC 7517 §5.
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

    /// The key of that name, if tokens signed with it are accepted at `now`.
    func key(_ kid: String, at now: Date) async throws -> SigningKeySet.Key? {
        var keys = try await keys(at: now)
        var isNews = false
        while keys[kid] == nil, !isNews, mayLookForUnknownKey(at: now) {
            // A load that was under way may have read the store before the key was there: then a second one.
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
        state.withLock { state in
            if state.load != nil { return true }
            switch Self.unknownKeys.verdict(fullAt: state.unknownKeysFullAt, now: now) {
            case .allowed(let fullAt):
                state.unknownKeysFullAt = fullAt
                return true
            case .wait: return false
            }
        }
    }

    /// Reads the store, or waits for the read that is under way. A caller who gives up does not end it for the others.
    ///
    /// - Returns: The keys, and whether the read began with this call.
    private func load(at now: Date) async throws -> (keys: SigningKeySet, isNews: Bool) {
        let (task, isNews) = state.withLock { state in
            if let running = state.load { return (running, false) }
            let task = Task {
                defer { self.state.withLock { $0.load = nil } }
                return try await self.fetch(at: now)
            }
            state.load = task
            return (task, true)
        }
        return (try await task.value, isNews)
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
            _ = try await store.add(first, retiringOthersAt: now, onlyIfNone: true)
            stored = try await store.signingKeys(of: app, at: now)
        }
        let keys = try SigningKeySet(stored, of: app, keyRing: keyRing)
        return state.withLock { state in
            if let known = state.known, state.installed > number { return known.keys }
            state.installed = number
            state.known = (keys, now)
            return keys
        }
    }
}
