import Synchronization

/// A barrier at which tasks wait for each other, once: later callers pass without waiting.
final class Meeting: Sendable {
    private struct State {
        var missing: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(of count: Int) { state = Mutex(State(missing: count)) }

    func meet() async {
        await withCheckedContinuation { continuation in
            let all = state.withLock { state in
                state.missing -= 1
                state.waiting.append(continuation)
                guard state.missing <= 0 else { return [CheckedContinuation<Void, Never>]() }
                defer { state.waiting = [] }
                return state.waiting
            }
            for each in all { each.resume() }
        }
    }
}
