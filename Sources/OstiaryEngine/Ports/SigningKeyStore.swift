public import Foundation

/// A store of an app's signing keys, whose private part is sealed.
public protocol SigningKeyStore: Sendable {
    /// Returns the keys of an app that have not retired at `now`, the newest first.
    func signingKeys(of app: AppName, at now: Date) async throws -> [StoredSigningKey]

    /// Adds a key and sets the retirement of every older one of the app to `retiringOthersAt`, unless it retires
    /// before.
    ///
    /// - Returns: `true` if the key was added; `false` if the condition does not hold.
    func add(
        _ key: StoredSigningKey, retiringOthersAt: Date, onlyIf condition: SigningKeyCondition
    ) async throws -> Bool
}

/// The condition under which a store adds a signing key, decided together with the addition, so that several nodes agree.
public enum SigningKeyCondition: Hashable, Sendable {
    /// The key is added in any case.
    case always
    /// The app has no key that is accepted when the new one is created.
    case isFirst
    /// The app has no unretired key that signs from a later time than the first one, and no later than the second. A key beyond
    /// was made by a node whose clock was ahead.
    case followsKey(from: Date, until: Date)
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
    /// The time from which the key signs: that of its creation, or a later one for a key that is published ahead.
    public var createdAt: Date
    /// The time from which tokens signed with the key are rejected; `nil` for a key that has no successor.
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
