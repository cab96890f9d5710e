package import OstiaryContracts
import Synchronization

/// What becomes of a request that several can end: its answer, its deadline, its task. Whoever is first decides.
package final class FirstOutcome: Sendable {
    package typealias Outcome = Result<WireResponse, TransportError>

    private struct State {
        var waiter: CheckedContinuation<Outcome, Never>?
        var outcome: Outcome?
    }

    private let state = Mutex(State())

    package init() {}

    /// Called once. The waiter is resumed when there is an outcome, or at once if there is.
    package func begin(_ waiter: CheckedContinuation<Outcome, Never>) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiter = waiter }
            return state.outcome
        }
        if let outcome { waiter.resume(returning: outcome) }
    }

    package func end(_ outcome: Outcome) {
        let waiter = state.withLock { state in
            guard state.outcome == nil else { return nil as CheckedContinuation<Outcome, Never>? }
            state.outcome = outcome
            return state.waiter.take()
        }
        waiter?.resume(returning: outcome)
    }
}
