public import Foundation

/// Where an app's signing keys are kept, the private part sealed.
public protocol SigningKeyStore: Sendable {
    /// The keys of an app that have not retired at `now`, the newest first.
    func signingKeys(of app: AppName, at now: Date) async throws -> [StoredSigningKey]

    /// Adds a key and lets every older one of the app retire at `retiringOthersAt`, unless it retires before.
    ///
    /// - Parameter onlyIfNone: Adds nothing if the app has an unretired key, so that two nodes starting together agree.
    /// - Returns: Whether the key was added.
    func add(_ key: StoredSigningKey, retiringOthersAt: Date, onlyIfNone: Bool) async throws -> Bool
}

public struct StoredSigningKey: Hashable, Sendable {
    public var app: AppName
    public var kid: String
    /// The JOSE name, for example `ES256`. Source: RFC 7518 §3.1.
    public var algorithm: String
    public var sealedPrivateKey: [UInt8]
    public var createdAt: Date
    /// When tokens signed with it stop being accepted; nil for the key in use.
    public var retiresAt: Date?

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
