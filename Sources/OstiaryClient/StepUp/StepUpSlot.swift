import Synchronization

/// The slot for the one step-up that a client runs at a time.
final class StepUpSlot: Sendable {
    /// `true` in the requests of the handler itself: to wait for its own end would last forever.
    @TaskLocal static var isInsideHandler = false

    private typealias Run = Task<Result<Void, ClientError>, Never>
    private let running = Mutex<Run?>(nil)

    /// Runs a step-up, or waits for the one that is running.
    ///
    /// - Returns: `true` if it was this one.
    /// - Throws: The error of the step-up.
    func run(_ body: @escaping @Sendable () async throws(ClientError) -> Void) async throws(ClientError) -> Bool {
        let (run, isOwn) = running.withLock { running in
            if let running { return (running, false) }
            let run = Run {
                let result = await Self.$isInsideHandler.withValue(true) { await Self.result(of: body) }
                self.running.withLock { $0 = nil }
                return result
            }
            running = run
            return (run, true)
        }
        try await run.value.get()
        return isOwn
    }

    private static func result(
        of body: @Sendable () async throws(ClientError) -> Void
    ) async -> Result<Void, ClientError> {
        do throws(ClientError) { return .success(try await body()) } catch { return .failure(error) }
    }
}
