import Foundation

/// A circuit breaker: stops requests to a server after several consecutive failures, then probes it with one request.
///
/// A pure policy: it reads no clock; times and outcomes are passed in.
struct CircuitBreaker: Hashable, Sendable {
    /// The number of consecutive failures that open it.
    static let failures = 5
    static let openSeconds: TimeInterval = 10

    private var state = State.closed(failures: 0)
    /// The number of state changes, so that the late outcome of a request from before a change is not counted.
    private var era = 0

    private enum State: Hashable {
        case closed(failures: Int)
        case open(since: Date)
        /// One probe request is in progress.
        case probing
    }

    /// The permission to send one request, whose outcome has to be recorded.
    struct Permit: Hashable, Sendable {
        fileprivate var era: Int
    }

    enum Outcome: Hashable, Sendable {
        case success
        case failure
        /// The caller was cancelled: says nothing about the server.
        case abandoned
    }

    /// Returns a permit to send one request; nil while the breaker is open or a probe is in progress.
    mutating func permit(at now: Date) -> Permit? {
        switch state {
        case .closed: break
        case .probing: return nil
        case .open(let since):
            // A clock that was set back must not keep it open for longer.
            guard abs(now.timeIntervalSince(since)) >= Self.openSeconds else { return nil }
            enter(.probing)
        }
        return Permit(era: era)
    }

    mutating func record(_ outcome: Outcome, of permit: Permit, at now: Date) {
        guard permit.era == era else { return }
        switch (state, outcome) {
        case (.closed, .success): state = .closed(failures: 0)
        case (.closed(let failures), .failure) where failures + 1 < Self.failures:
            state = .closed(failures: failures + 1)
        case (.closed, .failure), (.probing, .failure): enter(.open(since: now))
        case (.probing, .success): enter(.closed(failures: 0))
        // The next request may probe immediately.
        case (.probing, .abandoned): enter(.open(since: .distantPast))
        case (.closed, .abandoned), (.open, _): break
        }
    }

    private mutating func enter(_ state: State) {
        self.state = state
        era += 1
    }
}
