/// The operations on accounts and sessions. `AuthEngine` performs them locally, `RemoteAuth` on a server.
public protocol AuthService: Sendable {
    /// Performs an operation and returns its result.
    ///
    /// - Throws: ``AuthError`` and nothing else; the operation's type documents the cases. ``AuthError/notConfigured``
    ///   for an operation that the service does not have.
    func perform<Operation: AuthOperation>(_ operation: Operation) async throws(AuthError) -> Operation.Answer
}
