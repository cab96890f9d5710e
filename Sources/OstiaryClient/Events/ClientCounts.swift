/// Counters of a client's events, for apps with their own metrics.
///
/// ```swift
/// var counts = ClientCounts()
/// for await event in auth.events { counts.add(event) }
/// ```
public struct ClientCounts: Hashable, Sendable {
    /// The counts of an operation that can succeed or fail.
    public struct Outcomes: Hashable, Sendable {
        /// The number of successes.
        public var successes = 0
        /// The number of failures by code.
        public var failures: [FailureCode: Int] = [:]

        /// Creates counts of zero.
        public init() {}

        /// The number of successes and failures together.
        public var attempts: Int { successes + failures.values.reduce(0, +) }
        /// The ratio of successes to attempts, from 0 to 1; nil without attempts.
        public var successRate: Double? { attempts == 0 ? nil : Double(successes) / Double(attempts) }

        mutating func add(_ failure: FailureCode?) {
            if let failure { failures[failure, default: 0] += 1 } else { successes += 1 }
        }
    }

    /// Sign-ins by method, without registrations.
    public var signIns: [ClientEvent.SignInMethod: Outcomes] = [:]
    /// Registrations, including confirmations of registrations.
    public var registrations = Outcomes()
    /// Refreshes of tokens.
    public var refreshes = Outcomes()
    /// The number of tokens adopted from another process that had refreshed them.
    public var adoptions = 0
    /// Sign-outs by reason, for example `signed_out` or `refresh_token_reused`.
    public var signOuts: [FailureCode: Int] = [:]
    /// The number of switches to another saved account.
    public var accountSwitches = 0
    /// The number of times that the store became unwritable.
    public var storeFailures = 0
    /// Answers to the app's own requests, by the first digit of the status.
    public var answers: [Int: Int] = [:]
    /// The app's own requests that got no answer, by the code of the failure.
    public var unanswered: [FailureCode: Int] = [:]
    /// The number of requests repeated with a fresh token after a 401.
    public var replays = 0
    /// The number of waits before a request, for the rate limit or the server's pause.
    public var heldBack = 0
    /// The total duration of those waits.
    public var timeHeldBack: Duration = .zero
    /// The number of requests that were not sent because the server had none of the pinned keys.
    public var pinMismatches = 0
    /// The number of requests added to the offline queue.
    public var queued = 0
    /// The number of queued requests that the server executed.
    public var queueSent = 0
    /// Queued requests that were given up, by the code of the failure.
    public var queueDropped: [FailureCode: Int] = [:]
    /// The number of queued requests removed because their session ended.
    public var queueCleared = 0
    /// The number of waiting requests as of the last event of the queue.
    public var queueDepth = 0

    /// Creates counters of zero.
    public init() {}

    /// The sum of ``signIns`` over all methods.
    public var allSignIns: Outcomes {
        signIns.values.reduce(into: Outcomes()) { sum, outcomes in
            sum.successes += outcomes.successes
            sum.failures.merge(outcomes.failures, uniquingKeysWith: +)
        }
    }

    /// The ratio of the app's own requests with no answer or a status of 500 and above to all of them, from 0 to 1; nil
    /// before the first.
    public var requestErrorRate: Double? {
        let lost = unanswered.values.reduce(0, +)
        let total = answers.values.reduce(lost, +)
        return total == 0 ? nil : Double(lost + answers[5, default: 0]) / Double(total)
    }

    /// Counts one event.
    public mutating func add(_ event: ClientEvent) {
        switch event {
        case .signIn(let method, let failure): signIns[method, default: Outcomes()].add(failure)
        case .registration(let failure): registrations.add(failure)
        case .refresh(let failure, _): refreshes.add(failure)
        case .adopted: adoptions += 1
        case .signOut(let reason): signOuts[FailureCode(reason), default: 0] += 1
        case .revocationSent, .storeWritableAgain: break
        case .accountSwitched: accountSwitches += 1
        case .storeUnwritable: storeFailures += 1
        case .request(let status?, _): answers[status / 100, default: 0] += 1
        case .request(nil, let failure): unanswered[failure ?? "unknown", default: 0] += 1
        case .replayed: replays += 1
        case .heldBack(let duration):
            heldBack += 1
            timeHeldBack += duration
        case .pinMismatch: pinMismatches += 1
        case .queued(_, let depth):
            queued += 1
            queueDepth = depth
        case .queueSent(_, let depth):
            queueSent += 1
            queueDepth = depth
        case .queueDropped(_, let failure, let depth):
            queueDropped[failure, default: 0] += 1
            queueDepth = depth
        case .queueHeld(_, let depth): queueDepth = depth
        case .queueCleared(let count):
            queueCleared += count
            queueDepth = 0
        }
    }
}
