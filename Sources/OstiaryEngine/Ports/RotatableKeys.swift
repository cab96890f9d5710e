public import Foundation

/// The keys that sign an app's tokens, with one algorithm.
public protocol RotatableKeys: Sendable {
    /// Returns the keys that are accepted at `now`, the newest first; the current one has no retirement date.
    func list(at now: Date) async throws -> [StoredSigningKey]

    /// Creates a new key, which signs from now on. The older ones are accepted until the last token signed with them has
    /// expired.
    ///
    /// - Returns: The new key.
    @discardableResult
    func rotate(at now: Date) async throws -> StoredSigningKey
}

extension StoredSigningKey {
    /// The state of an accepted key. The raw value is the name on the wire.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The key signs new tokens.
        case current
        /// Tokens that the key has signed are accepted.
        case accepted
    }

    /// The state of the key, if it is accepted.
    public var state: State { retiresAt == nil ? .current : .accepted }
}
