import Synchronization

/// Single flight: concurrent callers share one execution of a piece of work.
///
/// A cancelled caller returns at once and does not cancel the work for the others.
final class SingleFlight<Value: Sendable>: Sendable {
    private struct State {
        var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
        var tickets = 0
        var isRunning = false
    }

    private enum Arrival { case gaveUp, waits, starts }

    private let state = Mutex(State())

    var isRunning: Bool { state.withLock { $0.isRunning } }

    func run(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let arrival: Arrival = state.withLock { state in
                    // Cancelled before it was registered: the handler found no continuation to resume.
                    if Task.isCancelled { return .gaveUp }
                    state.waiting[ticket] = continuation
                    if state.isRunning { return .waits }
                    state.isRunning = true
                    return .starts
                }
                switch arrival {
                case .gaveUp: continuation.resume(throwing: CancellationError())
                case .waits: break
                case .starts: Task { self.finish(await Self.result(of: work)) }
                }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(throwing: CancellationError())
        }
    }

    private static func result(of work: @Sendable () async throws -> Value) async -> Result<Value, any Error> {
        do { return .success(try await work()) } catch { return .failure(error) }
    }

    private func finish(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state in
            defer {
                state.waiting = [:]
                state.isRunning = false
            }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}
