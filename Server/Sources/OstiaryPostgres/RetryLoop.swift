/// The retry loop of a call: decides on a further attempt.
struct RetryLoop {
    let end: ContinuousClock.Instant
    private var backoff = Backoff(first: .milliseconds(5), longest: .milliseconds(200))
    private var stale = 0
    private var mayBeDone = false

    /// The maximum number of attempts that fail because of a missing or outdated prepared statement; after that the
    /// statement itself is at fault.
    private static let staleLimit = 3

    init(until end: ContinuousClock.Instant) { self.end = end }

    /// The statements to add to a commit that may have happened before.
    ///
    /// The earlier commit may be visible without being replicated to a standby: if its wait was cancelled, or its
    /// server restarted meanwhile. A retry finds the change already made, writes nothing, and so would wait for no
    /// standby. This statement writes to the log without changing a table, so that the commit waits.
    var beforeCommit: [PostgresStatement] {
        mayBeDone ? [PostgresStatement("SELECT pg_logical_emit_message(true, 'ostiary', ''::text)::text")] : []
    }

    /// Waits for the next delay of the backoff; returns `true` if another attempt is allowed before the deadline.
    mutating func mayRepeat(after error: PostgresError) async -> Bool {
        guard error.isPassing else { return false }
        if case .unknownOutcome = error { mayBeDone = true }
        if case .refused(let state, _) = error, state.isStale {
            stale += 1
            guard stale <= Self.staleLimit else { return false }
        }
        let pause = backoff.next()
        guard ContinuousClock.now + pause < end else { return false }
        do { try await Task.sleep(for: pause) } catch { return false }
        return true
    }
}

extension PostgresError {
    /// `true` if an immediate retry of the same call may succeed.
    fileprivate var isPassing: Bool {
        switch self {
        case .unknownOutcome: true
        case .refused(let state, _):
            state == .serializationFailure || state == .deadlockDetected || condemnsConnections
        // Waiting for a connection used up the deadline.
        case .unreachable, .exhausted, .overloaded, .unkeepable, .mismatch, .closed: false
        }
    }

    /// `true` if no connection of the same age is usable any more: the server accepts no writes any more, or tables
    /// differ from those for which statements were prepared.
    var condemnsConnections: Bool {
        guard case .refused(let state, _) = self else { return false }
        return state == .readOnlyTransaction || state.isStale
    }
}

extension PostgresError {
    /// `true` if the server failed, or an operator ended the statement: the state of its session is unknown.
    var spoilsConnection: Bool {
        guard case .refused(let state, _) = self else { return false }
        return ["53", "54", "57", "58", "XX"].contains(state.category)
    }
}

extension SQLState {
    /// `true` if the prepared statement is gone, or its result type changed.
    fileprivate var isStale: Bool { self == .undefinedStatement || self == .featureNotSupported }
}
