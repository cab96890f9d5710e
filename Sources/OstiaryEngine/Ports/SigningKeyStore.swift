public import Foundation

/// A store of an app's signing keys, whose private part is sealed.
public protocol SigningKeyStore: Sendable {
    /// Returns the keys of an app that have not retired at `now`, the newest first.
    func signingKeys(of app: AppName, at now: Date) async throws -> [StoredSigningKey]

    /// Adds a key and sets the retirement of every older one of the app to `retiringOthersAt`, unless it retires
    /// before.
    ///
    /// - Parameter onlyIfNone: Adds nothing if the app has an unretired key, so two nodes that start concurrently
    ///   agree.
    /// - Returns: `true` if the key was added.
    func add(_ key: StoredSigningKey, retiringOthersAt: Date, onlyIfNone: Bool) async throws -> Bool
}

/// A signing key with its sealed private part.
public struct StoredSigningKey: Hashable, Sendable {
    /// The app whose tokens the key signs.
    public var app: AppName
    /// The key id, as in the tokens' `kid`.
    public var kid: String
    /// The JOSE name of the algorithm, for example `ES256`. Source: RFC 7518 §3.1.
    public var algorithm: String
    /// The encrypted private key.
    public var sealedPrivateKey: [UInt8]
    /// The time of creation.
    public var createdAt: Date
    /// The time from which tokens signed with the key are rejected; `nil` for the current key.
    public var retiresAt: Date?

    /// Creates a key from its parts.
    public init(
        app: AppName, kid: String, algorithm: String, sealedPrivateKey: [UInt8], createdAt: Date, retiresAt: Date? = nil
    ) {
        self.app = app
        self.kid = kid
        self.algorithm = algorithm
        self.sealedPrivateKey = sealedPrivateKey
        self.createdAt = createdAt
        self.retiresAt = retiresAt
    }
}
