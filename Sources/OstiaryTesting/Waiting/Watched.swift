import Synchronization

/// A value under a lock, with tasks that wait for a condition on it.
final class Watched<Value: Sendable>: Sendable {
    /// Returns `true` to end the wait. Its changes to the value are atomic with that check, so a waiter can take what
    /// it waited for.
    typealias Condition = @Sendable (inout Value) -> Bool

    private struct Waiter {
        let number: Int
        let condition: Condition
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var value: Value
        var next = 0
        var waiters: [Waiter] = []

        /// Removes and returns the waiters with a fulfilled condition; the caller resumes them outside the lock.
        mutating func takeReady() -> [Waiter] {
            var ready: [Waiter] = []
            waiters.removeAll { waiter in
                guard waiter.condition(&value) else { return false }
                ready.append(waiter)
                return true
            }
            return ready
        }
    }

    private let state: Mutex<State>

    init(_ value: Value) { state = Mutex(State(value: value)) }

    var value: Value { state.withLock { $0.value } }

    @discardableResult
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        let (result, ready) = state.withLock { state in
            let result = body(&state.value)
            return (result, state.takeReady())
        }
        for waiter in ready { waiter.continuation.resume(returning: true) }
        return result
    }

    /// Waits until the condition holds. Conditions are checked in the order of arrival.
    func wait(until condition: @escaping Condition) async throws(CancellationError) {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let isGranted = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    // A cancellation that came earlier has found no waiter to resume.
                    if Task.isCancelled { return false }
                    if condition(&state.value) { return true }
                    state.waiters.append(Waiter(number: number, condition: condition, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
        guard isGranted else { throw CancellationError() }
    }
}
