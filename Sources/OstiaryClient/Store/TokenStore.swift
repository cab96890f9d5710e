/// Where the session of one account is kept between runs of a program.
public protocol TokenStore: Sendable {
    func read() async -> StoredSession
    /// Waits until no other process has the store to itself, then has it until ``LockedTokenStore/unlock()``.
    ///
    /// Everything that writes does so under the lock, a refresh from before its request until its answer is saved: so two
    /// processes do not both spend one refresh token, and none brings back a session that the other has ended.
    func lock() async throws(TokenStoreProblem) -> any LockedTokenStore
}

/// A store that no other process is writing to. Unlocks itself when nobody holds it any more.
public protocol LockedTokenStore: Sendable {
    func read() -> StoredSession
    /// Replaces what is stored, durably and as a whole: after a crash there is the one record or the other.
    func write(_ record: SessionRecord) throws(TokenStoreProblem)
    func clear() throws(TokenStoreProblem)
    /// After this, writing fails.
    func unlock()
}

/// What a store answers.
public enum StoredSession: Hashable, Sendable {
    case found(SessionRecord)
    case absent
    /// There may be a session or not. Nothing may be concluded from this, and nothing deleted.
    case unavailable(TokenStoreProblem)
}
