public import OstiaryCore

/// Counts a request that no operation could be read from, so that a network's flood of them ends like any other.
struct CountingUnreadable: Step {
    static let action = OperationKind.currentUser
    static let name = "unreadable"
    static let auditing = Auditing.never
    var attempts: Attempts { Attempts(kind: .other, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> { Outcome(Done()) }
}

extension AuthEngine {
    /// Counts a request of the caller's network that cannot be read, in memory, with all else that only guards against
    /// floods.
    ///
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``.
    public func countUnreadableRequest() async throws(AuthError) { _ = try await run(CountingUnreadable()) }
}
