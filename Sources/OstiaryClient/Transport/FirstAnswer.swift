package import OstiaryContracts
import Synchronization

/// The answer to something that several can end, such as a server, a deadline and a task: whoever is first decides.
package final class FirstAnswer<Answer: Sendable>: Sendable {
    private struct State {
        var waiter: CheckedContinuation<Answer, Never>?
        var answer: Answer?
    }

    private let state = Mutex(State())

    package init() {}

    /// Called once. The waiter is resumed when there is an answer, or at once if there is.
    package func begin(_ waiter: CheckedContinuation<Answer, Never>) {
        let answer = state.withLock { state in
            if state.answer == nil { state.waiter = waiter }
            return state.answer
        }
        if let answer { waiter.resume(returning: answer) }
    }

    package func end(_ answer: Answer) {
        let waiter = state.withLock { state in
            guard state.answer == nil else { return nil as CheckedContinuation<Answer, Never>? }
            state.answer = answer
            return state.waiter.take()
        }
        waiter?.resume(returning: answer)
    }
}

/// What becomes of a request.
package typealias FirstOutcome = FirstAnswer<RequestOutcome>
package typealias RequestOutcome = Result<WireResponse, TransportError>
