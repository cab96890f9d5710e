/// A caller that waits for a connection. Finished exactly once, by the code that removes it from the queue.
final class Waiter: Sendable {
    typealias Outcome = Result<PostgresConnection, PostgresError>

    let deadline: ContinuousClock.Instant
    let finish: @Sendable (Outcome) -> Void

    init(until deadline: ContinuousClock.Instant, finish: @escaping @Sendable (Outcome) -> Void) {
        self.deadline = deadline
        self.finish = finish
    }
}

/// The queue of waiting callers, first in, first out.
struct WaitQueue {
    private var waiters: [Waiter] = []

    var count: Int { waiters.count }
    var isEmpty: Bool { waiters.isEmpty }

    mutating func append(_ waiter: Waiter) { waiters.append(waiter) }

    mutating func next() -> Waiter? { waiters.isEmpty ? nil : waiters.removeFirst() }

    /// - Returns: `true` if it was still waiting.
    mutating func remove(_ waiter: Waiter) -> Bool {
        guard let index = waiters.firstIndex(where: { $0 === waiter }) else { return false }
        waiters.remove(at: index)
        return true
    }

    mutating func removeAll(until now: ContinuousClock.Instant) -> [Waiter] {
        let late = waiters.filter { $0.deadline <= now }
        waiters.removeAll { $0.deadline <= now }
        return late
    }

    mutating func removeAll() -> [Waiter] {
        defer { waiters = [] }
        return waiters
    }
}
