import Synchronization

/// Single flight: concurrent callers with the same key share one execution of a piece of work.
///
/// A cancelled caller returns at once, with `CancellationError`; the work continues for the others.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The outcome of the work for one caller.
    public struct Outcome: Sendable {
        /// The result of the work.
        public var value: Value
        /// `true` for the one caller whose work was executed.
        public var isOwn: Bool
    }

    private typealias Waiting = CheckedContinuation<Outcome, any Error>

    private struct State {
        /// The callers of each execution in progress, by waiter id. The work of the caller with the first id is
        /// executed.
        var flights: [Key: (first: Int, waiting: [Int: Waiting])] = [:]
        var waiterCount = 0
    }

    private enum Entry { case gaveUp, waits, starts }

    private let state = Mutex(State())

    /// Creates a single flight without executions.
    public init() {}

    /// Returns `true` while work with that key is executed.
    public func isRunning(_ key: Key) -> Bool { state.withLock { $0.flights[key] != nil } }

    /// Executes `work`, or waits for the execution with the same key that is in progress.
    ///
    /// - Throws: The error of the work, to every caller; `CancellationError`.
    public func run(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Outcome {
        let waiterID = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let entry: Entry = state.withLock { state in
                    // Cancelled before it was registered: the handler found no continuation to resume.
                    if Task.isCancelled { return .gaveUp }
                    let isRunning = state.flights[key] != nil
                    state.flights[key, default: (waiterID, [:])].waiting[waiterID] = continuation
                    return isRunning ? .waits : .starts
                }
                switch entry {
                case .gaveUp: continuation.resume(throwing: CancellationError())
                case .waits: break
                case .starts: Task { self.finish(key, await Self.result(of: work)) }
                }
            }
        } onCancel: {
            state.withLock { $0.flights[key]?.waiting.removeValue(forKey: waiterID) }?
                .resume(throwing: CancellationError())
        }
    }

    private static func result(of work: @Sendable () async throws -> Value) async -> Result<Value, any Error> {
        do { return .success(try await work()) } catch { return .failure(error) }
    }

    private func finish(_ key: Key, _ result: Result<Value, any Error>) {
        guard let (first, waiting) = state.withLock({ $0.flights.removeValue(forKey: key) }) else { return }
        for (waiterID, continuation) in waiting {
            continuation.resume(with: result.map { Outcome(value: $0, isOwn: waiterID == first) })
        }
    }
}
