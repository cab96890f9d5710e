public import Foundation

/// A store of the keys of the admin API.
public protocol ServiceKeyStore: Sendable {
    /// Adds a key with a new id.
    func add(_ key: ServiceKey) async throws

    /// Returns the key with an id, even if it is revoked or has expired; `nil` if there is none.
    func serviceKey(_ id: ServiceKeyID) async throws -> ServiceKey?

    /// Returns at most `limit` keys in order of creation, beginning after `position`.
    ///
    /// - Returns: The keys, and the position of the last; the position is `nil` if there are no more.
    func serviceKeys(after position: Int?, limit: Int) async throws -> (page: [ServiceKey], position: Int?)

    /// Revokes a key, and the sessions in which it acts for accounts, in one transaction; a key that was revoked before keeps
    /// the time.
    ///
    /// - Returns: The key; `nil` if there is none.
    func revokeServiceKey(_ id: ServiceKeyID, at now: Date) async throws -> ServiceKey?

    /// Records the use of a key at `now`, unless a later one is recorded.
    func noteUse(of id: ServiceKeyID, at now: Date) async throws
}
