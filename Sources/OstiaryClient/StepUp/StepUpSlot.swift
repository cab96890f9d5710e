import Synchronization

/// The slot for the one step-up that a client runs at a time.
///
/// A cancelled caller returns at once. The step-up is cancelled with its last caller; the slot stays taken until it has ended,
/// so that the handler never runs twice at a time.
final class StepUpSlot: Sendable {
    /// `true` in the requests of the handler itself: to wait for its own end would last forever.
    @TaskLocal static var isInsideHandler = false

    /// The result of a step-up; nil if it was cancelled before this caller joined, which then runs its own.
    private typealias Waiter = OneShot<Result<Void, ClientError>?>

    private struct Run {
        let task: Task<Void, Never>
        var waiters: [Int: Waiter]
        var isCancelled = false
    }

    private struct State {
        var run: Run?
        var lastWaiterID = 0
    }

    private let state = Mutex(State())

    /// Runs a step-up, or waits for the one that is running.
    ///
    /// - Returns: `true` if it was this one.
    /// - Throws: The error of the step-up; ``ClientError/cancelled``.
    func run(_ body: @escaping @Sendable () async throws(ClientError) -> Void) async throws(ClientError) -> Bool {
        while true {
            if Task.isCancelled { throw .cancelled }
            let waiter = Waiter()
            let (id, isOwn) = join(waiter, running: body)
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { waiter.begin($0) }
            } onCancel: {
                cancel(id)
            }
            guard let result else { continue }
            try result.get()
            return isOwn
        }
    }

    private func join(
        _ waiter: Waiter, running body: @escaping @Sendable () async throws(ClientError) -> Void
    ) -> (id: Int, isOwn: Bool) {
        state.withLock { state in
            state.lastWaiterID += 1
            let id = state.lastWaiterID
            guard state.run == nil else {
                state.run?.waiters[id] = waiter
                return (id, false)
            }
            let task = Task {
                finish(await Self.$isInsideHandler.withValue(true) { await Self.result(of: body) })
            }
            state.run = Run(task: task, waiters: [id: waiter])
            return (id, true)
        }
    }

    private func cancel(_ id: Int) {
        let (waiter, task) = state.withLock { state in
            guard let waiter = state.run?.waiters.removeValue(forKey: id) else {
                return (nil as Waiter?, nil as Task<Void, Never>?)
            }
            guard let run = state.run, run.waiters.isEmpty else { return (waiter, nil) }
            state.run?.isCancelled = true
            return (waiter, run.task)
        }
        waiter?.end(.failure(.cancelled))
        task?.cancel()
    }

    private func finish(_ result: Result<Void, ClientError>) {
        guard let run = state.withLock({ $0.run.take() }) else { return }
        var shared: Result<Void, ClientError>? = result
        if run.isCancelled, case .failure = result { shared = nil }
        for waiter in run.waiters.values { waiter.end(shared) }
    }

    private static func result(
        of body: @Sendable () async throws(ClientError) -> Void
    ) async -> Result<Void, ClientError> {
        do throws(ClientError) { return .success(try await body()) } catch { return .failure(error) }
    }
}
