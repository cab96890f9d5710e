/// Whether something is tried once more.
struct Repetition {
    let end: ContinuousClock.Instant
    private var pauses = Pauses(first: .milliseconds(5), longest: .milliseconds(200))
    private var stale = 0
    private var mayBeDone = false

    /// How often what was prepared may turn out to be gone or out of date; more often it is the statement's own fault.
    private static let staleLimit = 3

    init(until end: ContinuousClock.Instant) { self.end = end }

    /// What has to go with a commit that may have happened before.
    ///
    /// What the earlier one did may be visible and yet with no standby: where its wait was ended, or its server restarted
    /// meanwhile. A repetition finds it done, changes nothing, and so would wait for nothing. With this, which changes no
    /// table, it does.
    var beforeCommit: [PostgresStatement] {
        mayBeDone ? [PostgresStatement("SELECT pg_logical_emit_message(true, 'ostiary', ''::text)::text")] : []
    }

    /// Waits a little, and says whether there is time left.
    mutating func mayRepeat(after error: PostgresError) async -> Bool {
        guard error.isPassing else { return false }
        if case .unknownOutcome = error { mayBeDone = true }
        if case .refused(let state, _) = error, state.isStale {
            stale += 1
            guard stale <= Self.staleLimit else { return false }
        }
        let pause = pauses.next()
        guard ContinuousClock.now + pause < end else { return false }
        do { try await Task.sleep(for: pause) } catch { return false }
        return true
    }
}

extension PostgresError {
    /// Whether the same thing may succeed if it is tried again now.
    fileprivate var isPassing: Bool {
        switch self {
        case .unknownOutcome: true
        case .refused(let state, _):
            state == .serializationFailure || state == .deadlockDetected || condemnsConnections
        // Waiting for a connection took all the time there was.
        case .unreachable, .exhausted, .overloaded, .unkeepable, .mismatch, .closed: false
        }
    }

    /// Whether no connection of the same age is of any more use: the server takes no writes any more, or tables are not what
    /// they were when statements were prepared.
    var condemnsConnections: Bool {
        guard case .refused(let state, _) = self else { return false }
        return state == .readOnlyTransaction || state.isStale
    }
}

extension PostgresError {
    /// Whether the server failed, or somebody ended the statement: what its session still holds is not known.
    var spoilsConnection: Bool {
        guard case .refused(let state, _) = self else { return false }
        return ["53", "54", "57", "58", "XX"].contains(state.category)
    }
}

extension SQLState {
    /// What was prepared is gone, or answers otherwise now.
    fileprivate var isStale: Bool { self == .undefinedStatement || self == .featureNotSupported }
}
