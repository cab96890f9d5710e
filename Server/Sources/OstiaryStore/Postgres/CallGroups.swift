import Synchronization

/// Runs concurrent calls of one kind together: while `limit` groups run, further calls wait, and share the next group.
///
/// A call that does not have to wait is a group of its own and runs in its own task, so that groups change nothing where
/// there is no load.
final class CallGroups<Call: Sendable, Answer: Sendable>: Sendable {
    /// Runs a group, and returns a function that takes the answer to each of its calls from the common result.
    typealias Run = @Sendable (_ group: [Call]) async throws -> @Sendable (Call) -> Answer

    private struct Waiting {
        let call: Call
        let start = ContinuousClock.now
        let continuation: CheckedContinuation<Answer, any Error>
    }

    private struct State {
        var running = 0
        var waiting: [Waiting] = []
    }

    private let limit: Int
    private let maximumGroup: Int
    private let maximumWaiting: Int
    private let longestWait: Duration
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: The number of groups that run at once.
    ///   - maximumGroup: The number of calls in a group.
    ///   - maximumWaiting: The number of calls that wait; further ones are refused.
    ///   - longestWait: The time after which a call is refused that still waits.
    init(limit: Int, maximumGroup: Int = 64, maximumWaiting: Int = 2000, longestWait: Duration = .seconds(2)) {
        self.limit = limit
        self.maximumGroup = maximumGroup
        self.maximumWaiting = maximumWaiting
        self.longestWait = longestWait
    }

    /// The number of calls that wait for a group.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Returns the answer to a call.
    ///
    /// - Parameter run: The same for every call. It must not depend on the task that runs it.
    /// - Throws: ``StoreError/overloaded``; the error of the call's group, or of one that failed while the call waited: it
    ///   has tried for as long as a call may take.
    func answer(to call: Call, by run: @escaping Run) async throws -> Answer {
        let mayRun = state.withLock { state in
            guard state.running < limit else { return false }
            state.running += 1
            return true
        }
        if mayRun {
            defer { finishGroup(run) }
            do {
                return try await run([call])(call)
            } catch {
                // A read that is given up with its cancelled caller says nothing of the others.
                if !Task.isCancelled { failWaiting(error) }
                throw error
            }
        }
        return try await withCheckedThrowingContinuation { wait(Waiting(call: call, continuation: $0), for: run) }
    }

    private func wait(_ waiting: Waiting, for run: @escaping Run) {
        let (isRefused, mayRun) = state.withLock { state in
            guard state.waiting.count < maximumWaiting else { return (true, false) }
            state.waiting.append(waiting)
            // A group may have ended in between, before this call waited.
            guard state.running < limit else { return (false, false) }
            state.running += 1
            return (false, true)
        }
        if isRefused { waiting.continuation.resume(throwing: StoreError.overloaded) }
        if mayRun { finishGroup(run) }
    }

    /// Starts the next group in place of one that ended, if calls wait for it.
    private func finishGroup(_ run: @escaping Run) {
        let now = ContinuousClock.now
        let (late, group) = state.withLock { state in
            let late = state.waiting.prefix { $0.start + longestWait <= now }
            let group = state.waiting.dropFirst(late.count).prefix(maximumGroup)
            state.waiting.removeFirst(late.count + group.count)
            if group.isEmpty { state.running -= 1 }
            return (Array(late), Array(group))
        }
        for each in late { each.continuation.resume(throwing: StoreError.overloaded) }
        guard !group.isEmpty else { return }
        // Detached: the group belongs to none of its callers, whose cancellation and administrator it must not inherit.
        Task.detached { [self] in
            do {
                let answer = try await run(group.map(\.call))
                for each in group { each.continuation.resume(returning: answer(each.call)) }
            } catch {
                for each in group { each.continuation.resume(throwing: error) }
                failWaiting(error)
            }
            finishGroup(run)
        }
    }

    private func failWaiting(_ error: any Error) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for each in waiting { each.continuation.resume(throwing: error) }
    }
}
