package import OstiaryContracts
import Synchronization

/// A one-shot value for an operation that several events can complete, such as a response, a deadline and a
/// cancellation: the first one wins.
package final class OneShot<Answer: Sendable>: Sendable {
    private struct State {
        var waiter: CheckedContinuation<Answer, Never>?
        var answer: Answer?
    }

    private let state = Mutex(State())

    package init() {}

    /// Sets the waiter; called once. It is resumed when the value is set, or immediately if it is set already.
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

/// The one-shot outcome of a request.
package typealias FirstOutcome = OneShot<RequestOutcome>
package typealias RequestOutcome = Result<WireResponse, TransportError>
