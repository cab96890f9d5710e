import Foundation

/// Leaves a server alone for a while that has failed several times in a row, then tries it with one request.
///
/// A pure policy: it reads no clock, and knows only what it is told.
struct CircuitBreaker: Hashable, Sendable {
    /// So many failures in a row open it.
    static let failures = 5
    static let openSeconds: TimeInterval = 10

    private var state = State.closed(failures: 0)
    /// Counts changes of state, so that the late outcome of a request from before a change is not counted.
    private var era = 0

    private enum State: Hashable {
        case closed(failures: Int)
        case open(since: Date)
        /// One request is out to see.
        case probing
    }

    /// The right to send one request; its outcome has to be told.
    struct Permit: Hashable, Sendable {
        fileprivate var era: Int
    }

    enum Outcome: Hashable, Sendable {
        case success
        case failure
        /// Whoever asked gave up: says nothing about the server.
        case abandoned
    }

    /// - Returns: Nil while the server is left alone.
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
        // The next one may probe at once.
        case (.probing, .abandoned): enter(.open(since: .distantPast))
        case (.closed, .abandoned), (.open, _): break
        }
    }

    private mutating func enter(_ state: State) {
        self.state = state
        era += 1
    }
}
