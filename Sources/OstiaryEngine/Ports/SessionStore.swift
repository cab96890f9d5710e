public import Foundation
public import OstiaryCore

/// Where sessions are kept.
public protocol SessionStore: Sendable {
    /// Adds a session, if the account is still active and its credentials are those the person signed in with.
    ///
    /// - Parameter attachment: Kept with the session, and gone with it.
    /// - Returns: False otherwise.
    func add(_ session: Session, credentialVersion: Int, attachment: [UInt8]?) async throws -> Bool

    /// What is kept with a session; nil if there is nothing.
    func attachment(of session: SessionID, in app: AppName) async throws -> SessionAttachment?

    /// Replaces what is kept with a session by one conditional write, if it is still of that version.
    ///
    /// - Returns: Whether it was.
    func replaceAttachment(of session: SessionID, in app: AppName, version: Int, with bytes: [UInt8]) async throws
        -> Bool

    /// The session with its account, revoked or expired ones too; nil if there is none in the app.
    func session(_ id: SessionID, in app: AppName) async throws -> SessionState?

    /// Moves the session to its next generation by one conditional write, if `generation` is the current one and the
    /// session is alive at `now` (not revoked, neither end reached, the account active).
    ///
    /// A rotation notes the first use of the generation presented, extends `idleEndsAt` to `now + idleSeconds` (never
    /// past `endsAt`), sets `lastUsedAt`, `generationIssuedAt` and `address`, and forgets first uses before `horizon`.
    func rotate(
        _ id: SessionID, in app: AppName, from generation: Int, at now: Date, address: String?,
        forgettingBefore horizon: Date
    ) async throws -> Rotation

    /// Notes that a refresh token, or an access token of its generation, was seen in use; the first note counts.
    ///
    /// Returns at once. A note may be lost in a crash: an earlier token is then answered longer, which is the safe side.
    func noteUse(of generation: Int, in session: SessionID, app: AppName, at now: Date)

    /// Ends a session, if it has not ended yet, and queues what tells the owner, in one commit.
    ///
    /// - Parameter notice: Queued only by the call that ends the session.
    /// - Returns: Whether this call ended it.
    func revoke(
        _ id: SessionID, in app: AppName, _ revocation: Revocation, notice: QueuedMessage?
    ) async throws -> Bool

    /// Notes by one conditional write that the session's signing key is issued, if it was not before.
    ///
    /// - Returns: Whether this call noted it; false also for a session that is revoked or unknown.
    func noteSigningKeyIssue(of session: SessionID, in app: AppName, at now: Date) async throws -> Bool

    /// Ends all sessions of an account but one.
    ///
    /// - Returns: How many this call ended.
    func revokeAll(of account: AccountID, in app: AppName, keeping: SessionID?, _ revocation: Revocation) async throws
        -> Int

    /// The sessions of an account that are alive at `now`, the most recently used first.
    func sessions(of account: AccountID, in app: AppName, at now: Date) async throws -> [Session]
}

extension SessionStore {
    /// Adds a session with nothing kept beside it.
    public func add(_ session: Session, credentialVersion: Int) async throws -> Bool {
        try await add(session, credentialVersion: credentialVersion, attachment: nil)
    }

    /// Ends a session without telling the owner.
    public func revoke(_ id: SessionID, in app: AppName, _ revocation: Revocation) async throws -> Bool {
        try await revoke(id, in: app, revocation, notice: nil)
    }
}

/// What is kept with a session. Sealed by whoever keeps it.
public struct SessionAttachment: Hashable, Sendable {
    public var bytes: [UInt8]
    /// Grows with every change.
    public var version: Int

    public init(bytes: [UInt8], version: Int) {
        self.bytes = bytes
        self.version = version
    }
}

/// What became of a refresh token that was presented.
public enum Rotation: Hashable, Sendable {
    /// It was the current one; the state is that after the rotation.
    case rotated(SessionState)
    /// It is an earlier one of a session that is alive. `successorFirstUsedAt` is nil if the generation after the one
    /// presented was never seen in use, and `.distantPast` if that was so long ago that the store forgot.
    case superseded(SessionState, successorFirstUsedAt: Date?)
    /// It is an earlier one that a change of password withdrew; the session is alive.
    case withdrawn(SessionState)
    /// The session is revoked, expired, or its account is disabled.
    case ended(SessionState)
    case unknown
}
