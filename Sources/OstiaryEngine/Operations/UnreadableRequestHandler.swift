public import OstiaryCore

/// Counts a request from which no operation could be decoded, so that the network's rate limit covers such requests.
struct UnreadableRequestHandler: OperationHandler {
    static let action = OperationKind.currentUser
    static let name = "unreadable"
    static let auditing = Auditing.never
    var attempts: Attempts { Attempts(kind: .other, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> { Outcome(Done()) }
}

extension AuthEngine {
    /// Counts an undecodable request of the caller's network, in memory, with the other kinds that are limited only to
    /// resist floods.
    ///
    /// - Throws: `AuthError.tooManyAttempts(retryAfterSeconds:)`.
    public func countUnreadableRequest() async throws(AuthError) { _ = try await run(UnreadableRequestHandler()) }
}
