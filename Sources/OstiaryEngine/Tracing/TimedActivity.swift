/// An activity on whose duration a request's own depends.
public enum TimedActivity: String, CaseIterable, Sendable {
    /// Reads and writes of the store.
    case store
    /// Requests to other servers.
    case upstream
    /// Hashing of passwords.
    case hashing
    /// Waiting for a thread that hashes passwords.
    case queue
    /// Waiting for the rest of the client's request.
    case body
}
