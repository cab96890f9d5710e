/// Opens sessions together with what their first tokens are bound to.
public protocol SessionOpeningStore: AppKeyStore, DeviceStore, SessionStore, SingleUseRecordStore {
    /// Marks the proof of a session as used. Then, in one transaction, adds the session as
    /// ``SessionStore/add(_:credentialVersion:attachment:keeping:)`` does, binds it to an attested key, and replaces the secret of
    /// a device as ``DeviceStore/replace(_:by:)`` does.
    ///
    /// - Returns: `false` if the session was not added. The proof is used then.
    /// - Throws: ``StoreRefusal/alreadySpent`` if the proof was used before; ``StoreRefusal/overtaken`` if the secret of the
    ///   device was replaced before, or the device is forgotten. No session was added then.
    func open(_ opening: SessionOpening) async throws -> Bool
}

/// A session to be opened, with what its first tokens are bound to.
public struct SessionOpening: Hashable, Sendable {
    /// The session.
    public var session: Session
    /// The credential version that the person signed in with.
    public var credentialVersion: Int
    /// Sealed bytes kept with the session and deleted with it.
    public var attachment: [UInt8]?
    /// The number of the account's sessions that remain unrevoked: expired ones are revoked first, then the oldest.
    public var limit: Int
    /// The record that marks the proof of the session's key as used; `nil` for a session without one.
    public var proof: SingleUseRecord?
    /// The id of the attested key that the session is bound to; `nil` for none.
    public var appKey: [UInt8]?
    /// The renewal of the device that takes the place of a second factor; `nil` for none.
    public var renewal: DeviceRenewal?

    /// Creates a session to be opened from its parts.
    public init(
        session: Session, credentialVersion: Int, attachment: [UInt8]? = nil, keeping limit: Int,
        proof: SingleUseRecord? = nil, appKey: [UInt8]? = nil, renewal: DeviceRenewal? = nil
    ) {
        self.session = session
        self.credentialVersion = credentialVersion
        self.attachment = attachment
        self.limit = limit
        self.proof = proof
        self.appKey = appKey
        self.renewal = renewal
    }
}
