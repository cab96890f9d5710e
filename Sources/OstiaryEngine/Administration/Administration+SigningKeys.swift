import Foundation

extension Administration {
    /// Returns the keys whose signatures are accepted for the app's tokens, the newest of each algorithm first. Empty for an app
    /// that signs with a shared secret.
    public func signingKeys() async throws -> [StoredSigningKey] {
        var keys: [StoredSigningKey] = []
        for set in engine.ports.signingKeys { keys += try await set.list(at: now) }
        return keys
    }

    /// Creates a new key for each algorithm, which signs from now on. No session ends.
    ///
    /// - Parameter revokingEarlier: `true` to reject the access tokens that earlier keys have signed: at once by this node, within a
    ///   minute by the others.
    /// - Returns: The keys, as ``signingKeys()``.
    /// - Throws: ``AdministrationProblem`` for an app that signs with a shared secret.
    public func rotateSigningKeys(revokingEarlier: Bool = false) async throws -> [StoredSigningKey] {
        guard !engine.ports.signingKeys.isEmpty else {
            throw AdministrationProblem.conflict(
                "shared_secret", "\(app.name) signs with its jwt_secret: change that in the configuration")
        }
        try await audit("keys.rotate", details: revokingEarlier ? ["earlier": "revoked"] : [:])
        for set in engine.ports.signingKeys { try await set.rotate(at: now, revokingEarlier: revokingEarlier) }
        return try await signingKeys()
    }

    /// Creates the successor of the newest key of an algorithm, if it is due. It is published before it signs. Audited afterwards,
    /// because of several nodes one creates it.
    ///
    /// - Returns: The key that this node created; nil if none is due, or another node was faster.
    func rotate(_ keys: any RotatableKeys, after lifetime: TimeInterval) async throws -> StoredSigningKey? {
        guard let key = try await keys.rotate(after: lifetime, at: now) else { return nil }
        try await audit("keys.rotate", details: ["kid": key.kid])
        return key
    }
}
