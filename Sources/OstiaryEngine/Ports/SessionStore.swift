public import Foundation
public import OstiaryCore

/// A store of sessions.
public protocol SessionStore: Sendable {
    /// Adds a session, if the account is still active and its credential version is the one the person signed in with.
    /// In the same commit it records the time as the account's last sign-in, and counts the account as active.
    ///
    /// - Parameters:
    ///   - attachment: Sealed bytes kept with the session and deleted with it.
    ///   - limit: The number of the account's sessions that remain unrevoked. Those beyond it are revoked: expired ones first,
    ///     then the oldest. A session in which an administrator acts ends none, is not counted, and is not ended.
    /// - Returns: `false` if the session was not added.
    func add(
        _ session: Session, credentialVersion: Int, attachment: [UInt8]?, keeping limit: Int
    ) async throws -> Bool

    /// Returns the bytes kept with a session; `nil` if there are none.
    func attachment(of session: SessionID, in app: AppName) async throws -> SessionAttachment?

    /// Replaces the bytes kept with a session, if they still have that version (compare-and-set).
    ///
    /// - Returns: `true` if they had.
    func replaceAttachment(of session: SessionID, in app: AppName, version: Int, with bytes: [UInt8]) async throws
        -> Bool

    /// Returns the session with its account, even if it is revoked or expired; `nil` if there is none in the app.
    func session(_ id: SessionID, in app: AppName) async throws -> SessionState?

    /// Moves the session to its next generation by one conditional write, if `generation` is the current one and the
    /// session is alive at `now` (not revoked, neither end reached, the account active).
    ///
    /// A rotation records the first use of the generation presented unless that was before `horizon`, extends
    /// `idleEndsAt` to `now + idleSeconds` (never past `endsAt`), and sets `lastUsedAt`, `generationIssuedAt` and
    /// `address`. Some (``Session/forgetsFirstUses(rotatingFrom:)``) delete the session's records before `horizon`. The
    /// first one of a day counts the account as active, in the same commit.
    func rotate(
        _ id: SessionID, in app: AppName, from generation: Int, at now: Date, address: String?,
        forgettingBefore horizon: Date
    ) async throws -> Rotation

    /// Records that a refresh token, or an access token of its generation, was seen in use; only the first record
    /// counts.
    ///
    /// Write-behind: returns immediately. A record may be lost in a crash: an earlier token is then accepted longer,
    /// which is the safe side.
    func noteUse(of generation: Int, in session: SessionID, app: AppName, at now: Date)

    /// Ends a session, if it has not ended yet, and queues the message to the account's owner, in one commit.
    ///
    /// - Parameter notice: The message, queued only by the call that ends the session.
    /// - Returns: `true` if this call ended it.
    func revoke(
        _ id: SessionID, in app: AppName, _ revocation: Revocation, notice: QueuedMessage?
    ) async throws -> Bool

    /// Records by one conditional write that the session's signing key was issued, if it was not before.
    ///
    /// - Returns: `true` if this call recorded it; `false` also for a session that is revoked or unknown.
    func noteSigningKeyIssue(of session: SessionID, in app: AppName, at now: Date) async throws -> Bool

    /// Replaces the authentication of a session that has not ended, if it is still `old` (compare-and-set).
    ///
    /// - Returns: `true` if it was.
    func replaceAuthentication(
        of session: SessionID, in app: AppName, from old: AuthenticationContext, to new: AuthenticationContext
    ) async throws -> Bool

    /// Ends all sessions of an account except one.
    ///
    /// - Returns: The number of sessions that this call ended.
    func revokeAll(of account: AccountID, in app: AppName, keeping: SessionID?, _ revocation: Revocation) async throws
        -> Int

    /// Returns the sessions of an account that are alive at `now`, the most recently used first.
    func sessions(of account: AccountID, in app: AppName, at now: Date) async throws -> [Session]
}

extension Session {
    /// Returns `true` if the rotation from that generation deletes the session's old records of first use: every
    /// sixteenth, because with every rotation it took a quarter of the time in PostgreSQL.
    public static func forgetsFirstUses(rotatingFrom generation: Int) -> Bool { (generation + 1) % 16 == 0 }
}

extension SessionStore {
    /// Adds a session; ``Session/limitPerAccount`` sessions of the account continue.
    public func add(
        _ session: Session, credentialVersion: Int, attachment: [UInt8]? = nil
    ) async throws -> Bool {
        try await add(
            session, credentialVersion: credentialVersion, attachment: attachment, keeping: Session.limitPerAccount)
    }

    /// Ends a session without a message to the owner.
    public func revoke(_ id: SessionID, in app: AppName, _ revocation: Revocation) async throws -> Bool {
        try await revoke(id, in: app, revocation, notice: nil)
    }
}

/// Bytes kept with a session, sealed by the caller that keeps them.
public struct SessionAttachment: Hashable, Sendable {
    /// The sealed bytes.
    public var bytes: [UInt8]
    /// A number that grows with every change.
    public var version: Int

    /// Creates an attachment from its parts.
    public init(bytes: [UInt8], version: Int) {
        self.bytes = bytes
        self.version = version
    }
}

/// The outcome of presenting a refresh token.
public enum Rotation: Hashable, Sendable {
    /// The token was the current one; the state is the one after the rotation.
    case rotated(SessionState)
    /// The token is an earlier one of a session that is alive. `successorFirstUsedAt` is `nil` if the generation after
    /// the one presented was never seen in use, and `.distantPast` if the store has already deleted that record.
    case superseded(SessionState, successorFirstUsedAt: Date?)
    /// The token is an earlier one that a change of password withdrew; the session is alive.
    case withdrawn(SessionState)
    /// The session is revoked, expired, or its account is disabled.
    case ended(SessionState)
    /// There is no such session in the app, or the session never had that generation.
    case unknown
}
