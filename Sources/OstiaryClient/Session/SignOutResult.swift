/// The result of a sign-out.
public enum SignOutResult: Hashable, Sendable {
    /// There was no session to end.
    case wasSignedOut
    /// The session has ended, locally and on the server.
    case revoked
    /// The session has ended locally. The server could not be reached; the revocation is stored and retried until it
    /// can.
    case revocationPending
}
