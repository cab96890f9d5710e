/// The storage of an app's sessions between runs, shared by the app's processes.
///
/// A store that cannot be read never reports that it is empty: see ``StoredSessions``.
public protocol SessionStore: Sendable {
    /// Reads the stored sessions, including the changes of other processes.
    func read() async -> StoredSessions
    /// Reads the sessions, applies `change`, and writes the result durably and atomically, without interference from
    /// other processes.
    ///
    /// Takes a short time, as no network request happens within it. An unchanged value is not written.
    ///
    /// - Returns: The result of `change`.
    /// - Throws: The problem if the store cannot be read or written; nothing has changed then.
    func change<Result: Sendable>(
        _ change: @Sendable (inout SavedSessions) -> Result
    ) async throws(StoreProblem) -> Result
    /// Waits until no other process refreshes, then excludes other processes until ``RefreshLease/end()``.
    ///
    /// It is an optimisation that saves the server the second of two refreshes. Correctness does not depend on it with
    /// a server that accepts an earlier refresh token until its successor is in use. So a store that no other process
    /// shares may return at once.
    ///
    /// - Throws: ``StoreProblem/busy`` if the other processes take too long; another problem if no lock can be taken.
    func refreshLease() async throws(StoreProblem) -> any RefreshLease
}

/// The lease to refresh. It also ends when its last reference is released, and with the process.
public protocol RefreshLease: Sendable {
    /// Ends the lease, so that the next process may refresh.
    func end()
}

/// The result of reading a store.
public enum StoredSessions: Hashable, Sendable {
    /// The sessions that are stored.
    case found(SavedSessions)
    /// The store is readable and holds nothing.
    case absent
    /// The store cannot be read, and may hold sessions. Callers must conclude nothing from this and delete nothing.
    case unavailable(StoreProblem)
}
