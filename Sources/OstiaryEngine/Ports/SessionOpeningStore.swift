/// Opens sessions together with what their first tokens are bound to.
public protocol SessionOpeningStore: AppKeyStore, SessionStore, SingleUseRecordStore {
    /// Marks the proof of a session as used, adds the session as ``SessionStore/add(_:credentialVersion:attachment:keeping:)`` does,
    /// and binds it to an attested key.
    ///
    /// - Returns: `false` if the session was not added. The proof is used then.
    /// - Throws: ``StoreRefusal/alreadySpent`` if the proof was used before; no session was added then.
    func open(_ opening: SessionOpening) async throws -> Bool
}

extension SessionOpeningStore {
    /// Opens a session in one commit for each step. The client has no token of it yet if a later one fails.
    public func open(_ opening: SessionOpening) async throws -> Bool {
        if let proof = opening.proof { try await add(proof) }
        let isAdded = try await add(
            opening.session, credentialVersion: opening.credentialVersion, attachment: opening.attachment,
            keeping: opening.limit)
        if isAdded, let key = opening.appKey {
            _ = try await bind(opening.session.id, toAppKey: key, in: opening.session.app)
        }
        return isAdded
    }
}

/// A session to be opened, with what its first tokens are bound to.
public struct SessionOpening: Hashable, Sendable {
    /// The session.
    public var session: Session
    /// The credential version that the person signed in with.
    public var credentialVersion: Int
    /// Sealed bytes kept with the session and deleted with it.
    public var attachment: [UInt8]?
    /// The number of the account's newest sessions that continue.
    public var limit: Int
    /// The record that marks the proof of the session's key as used; `nil` for a session without one.
    public var proof: SingleUseRecord?
    /// The id of the attested key that the session is bound to; `nil` for none.
    public var appKey: [UInt8]?

    /// Creates a session to be opened from its parts.
    public init(
        session: Session, credentialVersion: Int, attachment: [UInt8]? = nil, keeping limit: Int,
        proof: SingleUseRecord? = nil, appKey: [UInt8]? = nil
    ) {
        self.session = session
        self.credentialVersion = credentialVersion
        self.attachment = attachment
        self.limit = limit
        self.proof = proof
        self.appKey = appKey
    }
}
