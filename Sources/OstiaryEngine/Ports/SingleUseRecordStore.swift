public import Foundation
public import OstiaryCore

/// A store of pending flows that can be completed once: sign-ins in a browser, authorization codes, ID tokens and
/// nonces already seen.
///
/// Kept in the store rather than in memory, so one node can complete a flow that another began.
public protocol SingleUseRecordStore: Sendable {
    /// Adds a single-use record.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent`` if there is, or was until it expired, one of the same app, kind and
    ///   hash.
    func add(_ record: SingleUseRecord) async throws

    /// Counts a single-use record that an unauthenticated caller can request against every bucket and adds it, in one
    /// commit, or does neither if a bucket refuses.
    ///
    /// - Parameter record: A record with a new hash.
    /// - Returns: `nil` if it is added; otherwise the refusal of the bucket with the longest wait.
    func add(_ record: SingleUseRecord, within buckets: [AttemptBucket], at now: Date) async throws -> AttemptRefusal?

    /// Returns a single-use record that is not redeemed and has not expired at `now`. Advisory only: `spend` decides.
    func singleUseRecord(_ kind: SingleUseRecord.Kind, _ hash: [UInt8], in app: AppName, at now: Date) async throws
        -> SingleUseRecord?

    /// Redeems a single-use record by one conditional write, and adds its successor in the same transaction.
    ///
    /// - Parameters:
    ///   - session: The session that is going to be opened for the record, so a second use can end it.
    ///   - successor: The record that is added if the redemption succeeds.
    func spend(
        _ kind: SingleUseRecord.Kind, _ hash: [UInt8], in app: AppName, at now: Date, for session: SessionID?,
        keeping successor: SingleUseRecord?
    ) async throws -> Redemption
}

/// A single-use record of a pending flow, valid until it expires.
public struct SingleUseRecord: Hashable, Sendable {
    /// The app that the record belongs to.
    public var app: AppName
    /// The kind of flow.
    public var kind: Kind
    /// A keyed hash of the secret that the caller presents to complete the flow.
    public var hash: [UInt8]
    /// The state needed to complete the flow. Holds nothing that enables a reader of the store to complete it.
    public var payload: [UInt8]
    /// The time from which the record cannot be redeemed.
    public var expiresAt: Date

    /// The kind of a single-use record. Kept in the store by raw value.
    public enum Kind: String, Sendable {
        /// A social sign-in whose browser has not opened its address yet.
        case browserStart = "browser_start"
        /// A sign-in at an identity provider from which the browser has not returned yet.
        case browserSignIn = "browser_sign_in"
        /// A sign-in whose browser has returned from the provider with an authorization code.
        case browserReturn = "browser_return"
        /// The authorization code of a completed sign-in whose browser the provider redirected straight to the app.
        /// Never redeemed.
        case browserCode = "browser_code"
        /// A session that must not be opened, because the code that it was going to be opened for was presented again.
        /// Never redeemed.
        case withdrawnSession = "withdrawn_session"
        /// An ID token that was exchanged for a session.
        case identityToken = "identity_token"
        /// An authorization code of the built-in provider.
        case authorizationCode = "authorization_code"
        /// The nonce of a signed request.
        case requestNonce = "request_nonce"
        /// A proof of possession that opened or refreshed a session. Never redeemed.
        case dpopProof = "dpop_proof"
        /// A factor that its owner has not confirmed yet.
        case pendingFactor = "pending_factor"
        /// A challenge that was answered. Never redeemed.
        case answeredChallenge = "answered_challenge"
        /// A device that is not asked for a second factor. Each use replaces its secret.
        case rememberedDevice = "remembered_device"
        /// A device link that was redeemed. Never redeemed.
        case deviceLink = "device_link"
        /// The challenge of a passkey's registration or authentication. Source: WebAuthn Level 3 §13.4.3.
        case passkeyChallenge = "passkey_challenge"
        /// A computation that was redeemed. Never redeemed again.
        case proofOfWork = "proof_of_work"
        /// The challenge of an attestation. Never redeemed.
        case attestationChallenge = "attestation_challenge"
        /// A change of factors that the account's owner can undo.
        case factorUndo = "factor_undo"
        /// A sign-in with a factor or a recovery code whose addition could be undone before. Never redeemed.
        case factorSignIn = "factor_sign_in"
        /// A factor or a recovery code whose addition was undone, so that no other undo restores it. Never redeemed.
        case undoneFactor = "undone_factor"
        /// A change of an account that voids the links and codes that were sent to it before. Never redeemed, but replaced by that
        /// of a later change.
        case voidedLinks = "voided_links"
        /// The credential id of a passkey that the undo of its removal restores. Never redeemed.
        case reservedCredential = "reserved_credential"
        /// A sign-in that the account's owner can deny. Never redeemed: a denial changes the credentials, which voids it.
        case signInDenial = "sign_in_denial"
    }

    /// The time for which a sweep keeps a record after its end, in seconds: a node whose clock is behind would accept again what the
    /// record marks as used.
    public static let keptSeconds: Int64 = 120

    /// The key of the record.
    public var key: SingleUseRecordKey { SingleUseRecordKey(app: app, kind: kind, hash: hash) }

    /// Creates a record from its parts.
    public init(app: AppName, kind: Kind, hash: [UInt8], payload: [UInt8], expiresAt: Date) {
        self.app = app
        self.kind = kind
        self.hash = hash
        self.payload = payload
        self.expiresAt = expiresAt
    }
}

/// The key of a single-use record.
public struct SingleUseRecordKey: Hashable, Sendable {
    /// The app that the record belongs to.
    public var app: AppName
    /// The kind of flow.
    public var kind: SingleUseRecord.Kind
    /// A keyed hash of the secret that the caller presents to complete the flow.
    public var hash: [UInt8]

    /// Creates a key from its parts.
    public init(app: AppName, kind: SingleUseRecord.Kind, hash: [UInt8]) {
        self.app = app
        self.kind = kind
        self.hash = hash
    }
}

/// The outcome of redeeming a single-use record.
public enum Redemption: Hashable, Sendable {
    /// The record had not expired, and is now redeemed.
    case spent(SingleUseRecord)
    /// The record was redeemed before, for this session; a second use indicates theft.
    case replayed(SingleUseRecord, session: SessionID?)
    /// There is no such record, or it has expired.
    case unknown
}
