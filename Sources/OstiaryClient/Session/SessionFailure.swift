public import OstiaryCore

/// Why something could not be done in the name of a signed-in person.
public enum SessionFailure: Error, Hashable, Sendable {
    /// Nobody is signed in.
    case notSignedIn
    /// The session is over and has been cleared; signing in again helps.
    case ended(AuthError)
    /// The server refused. The session is kept.
    case refused(AuthError)
    /// The server gave no answer. The session is kept.
    case unreachable(TransportError)
    /// The store cannot be read or written. The session is kept as far as it was stored.
    case store(TokenStoreProblem)
}
