public import Foundation
public import OstiaryCore

/// A store of the keys that App Attest has attested, and of the sessions that are bound to them.
public protocol AppKeyStore: Sendable {
    /// Adds an attested key; does nothing if the app has a key of that id.
    func add(_ key: AppKey) async throws

    /// Returns an attested key of an app; `nil` if there is none.
    func appKey(_ id: [UInt8], in app: AppName) async throws -> AppKey?

    /// Records a use of a key by one conditional write, if `counter` is greater than the stored one.
    ///
    /// - Returns: `false` if the app has no such key, or the counter is not greater.
    func recordUse(ofAppKey id: [UInt8], in app: AppName, counter: UInt32, keptUntil: Date) async throws -> Bool

    /// Returns the id of the key that a session is bound to; `nil` if it is bound to none.
    func appKey(of session: SessionID, in app: AppName) async throws -> [UInt8]?

    /// Binds a session to a key, unless it is bound to one.
    ///
    /// - Returns: The id of the key that the session is bound to from now on; `nil` if there is no such session.
    func bind(_ session: SessionID, toAppKey id: [UInt8], in app: AppName) async throws -> [UInt8]?
}

/// A key that App Attest has attested.
public struct AppKey: Hashable, Sendable {
    /// The app that the key belongs to.
    public var app: AppName
    /// The key id: the SHA-256 hash of the public key.
    public var id: [UInt8]
    /// The public key, an uncompressed point of P-256. Source: SEC 1 §2.3.3.
    public var publicKey: [UInt8]
    /// The App ID for which the key was attested: the team's id, a full stop, and a bundle id.
    public var appID: String
    /// The counter of the last accepted assertion.
    public var counter: UInt32
    /// The time of the attestation.
    public var createdAt: Date
    /// The time at which the key is forgotten unless it is used before.
    public var keptUntil: Date

    /// Creates a key from its parts.
    public init(
        app: AppName, id: [UInt8], publicKey: [UInt8], appID: String, counter: UInt32 = 0, createdAt: Date,
        keptUntil: Date
    ) {
        self.app = app
        self.id = id
        self.publicKey = publicKey
        self.appID = appID
        self.counter = counter
        self.createdAt = createdAt
        self.keptUntil = keptUntil
    }
}
