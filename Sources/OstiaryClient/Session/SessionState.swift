public import OstiaryCore

/// The state of the client's session, for views.
public enum SessionState: Hashable, Sendable {
    /// The store has not been read yet, or cannot be read: a keychain before the first unlock, or one that is bound to
    /// a person who declined, or whom the device may not prompt. Nothing is sent and nothing is cleared. An app shows
    /// that it waits; if its store is bound, it also shows a button that calls ``AuthClient/unlock(_:)``.
    case unknown
    /// There is no session, for the given reason.
    case signedOut(SignedOutReason)
    /// There is a session; `verified` is `true` once the server has accepted a token of it during this run.
    case signedIn(SessionSnapshot, verified: Bool)
    /// There is a session, and the person who holds the device must first prove that they are its owner.
    case locked
}

/// The reason for which there is no session.
public enum SignedOutReason: Hashable, Sendable {
    /// There was no session.
    case notSignedIn
    /// The person signed out.
    case signedOut
    /// The server ended the session, or it expired.
    case ended(AuthError)
    /// Another process of the app signed out.
    case elsewhere
    /// The device no longer recognises, or never recognised, a person for whom it would unlock the session.
    case notRecognised(AppLockEnd)
}

/// A session without its secrets: its identity, its account and its user.
public struct SessionSnapshot: Hashable, Sendable, Identifiable {
    /// The identifier of the session on this device.
    public let id: ClientSession.ID
    /// The account of the session; `nil` if the server has not stated it.
    public let accountID: AccountID?
    /// The identifier that the person signed in with, for display.
    public let label: String
    /// The user as the server last described them; `nil` until the server has.
    public let user: User?

    /// Creates a snapshot from its parts.
    public init(id: ClientSession.ID, accountID: AccountID?, label: String, user: User?) {
        self.id = id
        self.accountID = accountID
        self.label = label
        self.user = user
    }

    init(_ session: ClientSession) {
        self.init(id: session.id, accountID: session.accountID, label: session.label, user: session.user)
    }
}
