import Synchronization

/// Work that follows an operation and that its caller does not wait for. Bounded: where too much is pending, the next is dropped.
final class BackgroundTasks: Sendable {
    private let state = Mutex((tasks: [Int: Task<Void, Never>](), last: 0))
    private static let capacity = 64

    func run(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard state.tasks.count < Self.capacity else { return }
            state.last += 1
            let number = state.last
            state.tasks[number] = Task {
                await work()
                self.state.withLock { $0.tasks[number] = nil }
            }
        }
    }

    /// Returns once the work that is pending now is done.
    func finish() async {
        for task in state.withLock({ Array($0.tasks.values) }) { await task.value }
    }
}
