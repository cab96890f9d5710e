public import Foundation

/// The keys that sign an app's tokens, with one algorithm.
public protocol RotatableKeys: Sendable {
    /// Returns the keys that are accepted at `now`, the newest first.
    func list(at now: Date) async throws -> [StoredSigningKey]

    /// Creates a new key, which signs from now on.
    ///
    /// - Parameter revokingEarlier: `true` to reject the older keys from now on. Otherwise they are accepted until the last token
    ///   signed with them has expired.
    /// - Returns: The new key.
    @discardableResult
    func rotate(at now: Date, revokingEarlier: Bool) async throws -> StoredSigningKey

    /// Creates the successor of the newest key, if that is to sign for no longer than its lifetime. The successor is published
    /// now, and signs ``RotatableKeys/publishedAheadSeconds`` later. Of several nodes one creates it.
    ///
    /// - Returns: The new key; `nil` if none is due, or another node was faster.
    func rotate(after lifetime: TimeInterval, at now: Date) async throws -> StoredSigningKey?
}

extension RotatableKeys {
    /// The time for which a scheduled key is published before it signs, in seconds: longer than services that verify tokens
    /// keep a key set.
    public static var publishedAheadSeconds: TimeInterval { 86_400 }

    /// Creates a new key, which signs from now on. The older ones are accepted until the last token signed with them has
    /// expired.
    @discardableResult
    public func rotate(at now: Date) async throws -> StoredSigningKey {
        try await rotate(at: now, revokingEarlier: false)
    }
}

extension StoredSigningKey {
    /// The state of an accepted key. The raw value is the name on the wire.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The key is published, and signs from ``StoredSigningKey/createdAt`` on.
        case next
        /// The key signs new tokens.
        case current
        /// Tokens that the key has signed are accepted.
        case accepted
    }

    /// Returns the state of the key, which is accepted, among the keys of its app.
    public func state(at now: Date, among keys: [StoredSigningKey]) -> State {
        let signing = keys.filter { $0.app == app }.signing(at: now)
        if let signing, signing.kid.utf8.elementsEqual(kid.utf8) { return .current }
        return now < createdAt && retiresAt == nil ? .next : .accepted
    }
}

extension Sequence<StoredSigningKey> {
    /// Returns the key that signs at `now`: the newest that has begun and has no successor, or whose successor has not begun. Every
    /// node chooses the same, in whatever order a store returns keys.
    ///
    /// - Returns: If no key has begun, because a clock was set back, the newest without a successor; `nil` without any key.
    public func signing(at now: Date) -> StoredSigningKey? {
        let newestFirst = sorted { ($0.createdAt, $0.kid) > ($1.createdAt, $1.kid) }
        let begun = newestFirst.filter { $0.createdAt <= now }
        if let last = begun.first(where: { $0.retiresAt == nil }) { return last }
        if let last = begun.first(where: { key in key.retiresAt.map { now < $0 } ?? true }) { return last }
        return newestFirst.first { $0.retiresAt == nil } ?? newestFirst.first
    }
}
