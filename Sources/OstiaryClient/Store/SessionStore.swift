/// Where an app's sessions are kept between runs, for itself and for every process that shares them.
///
/// A store never believes that nothing is there because it cannot look: see ``StoredSessions``.
public protocol SessionStore: Sendable {
    func read() async -> StoredSessions
    /// Reads, lets `change` have its way, and writes the outcome durably and as a whole, all while no other process does.
    ///
    /// Short: nothing waits for a network under it. A value left as it was is not written.
    ///
    /// - Throws: The problem, if it cannot be read or written; nothing has changed then.
    func change<Result: Sendable>(
        _ change: @Sendable (inout SavedSessions) -> Result
    ) async throws(StoreProblem) -> Result
    /// Waits until no other process refreshes, then keeps the others waiting until ``RefreshTurn/end()``.
    ///
    /// It spares the server the second of two refreshes; a server that answers an earlier refresh token until its
    /// successor is in use does not depend on it. So a store that no other process shares may return at once.
    ///
    /// - Throws: ``StoreProblem/busy`` where the others take too long.
    func refreshTurn() async throws(StoreProblem) -> any RefreshTurn
}

/// The right to refresh. Ends by itself when nobody holds it any more.
public protocol RefreshTurn: Sendable {
    func end()
}

/// What a store answers.
public enum StoredSessions: Hashable, Sendable {
    case found(SavedSessions)
    case absent
    /// There may be sessions or not. Nothing may be concluded from this, and nothing deleted.
    case unavailable(StoreProblem)
}
