/// The key that a request of an account operation proves.
enum RequestProof: Sendable {
    /// The key to which the session that the request opens is bound.
    case signIn
    /// The key to which the session of the request's tokens is bound.
    case session(SessionKey)
}
