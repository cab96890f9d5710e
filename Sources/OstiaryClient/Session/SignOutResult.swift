/// How far a sign-out got.
public enum SignOutResult: Hashable, Sendable {
    /// Nobody was signed in.
    case wasSignedOut
    /// The session is over, here and on the server.
    case told
    /// The session is over here. The server could not be told; it will be, as soon as it can be reached.
    case toldLater
}
