public import OstiaryCore

/// Whether somebody is signed in, as views want to know it.
public enum SessionState: Hashable, Sendable {
    /// The store has not answered yet, or cannot: a keychain before the first unlock, or one that is bound to a person who said
    /// no, or whom the device may not ask. Nothing is sent, nothing cleared. An app shows that it waits; where its store is
    /// bound, also a button that calls ``AuthClient/unlock(_:)``.
    case unknown
    case signedOut(SignedOutReason)
    /// Signed in; `verified` once the server has accepted a token of this session in this run.
    case signedIn(SessionSnapshot, verified: Bool)
    /// Somebody is signed in, and must first show who is holding the device.
    case locked
}

/// Why nobody is signed in.
public enum SignedOutReason: Hashable, Sendable {
    /// Nobody was.
    case notSignedIn
    /// They asked for it.
    case signedOut
    /// The server ended the session, or it ran out.
    case ended(AuthError)
    /// Another process of the app signed out.
    case elsewhere
    /// The device no longer knows, or never knew, whom the gate in front of the session would let through.
    case notRecognised(GateEnd)
}

/// A session without its secrets.
public struct SessionSnapshot: Hashable, Sendable, Identifiable {
    public let id: ClientSession.ID
    public let accountID: AccountID?
    /// What the person signed in as.
    public let label: String
    public let user: User?

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
