/// How often a client did what: the numbers to watch, for apps that have a place of their own for them.
///
/// ```swift
/// var counts = ClientCounts()
/// for await event in auth.events { counts.add(event) }
/// ```
public struct ClientCounts: Hashable, Sendable {
    /// What can succeed or fail.
    public struct Outcomes: Hashable, Sendable {
        public var successes = 0
        public var failures: [FailureCode: Int] = [:]

        public init() {}

        public var attempts: Int { successes + failures.values.reduce(0, +) }
        /// From 0 to 1; nil as long as nothing was tried.
        public var successRate: Double? { attempts == 0 ? nil : Double(successes) / Double(attempts) }

        mutating func add(_ failure: FailureCode?) {
            if let failure { failures[failure, default: 0] += 1 } else { successes += 1 }
        }
    }

    public var signIns: [ClientEvent.SignInMethod: Outcomes] = [:]
    public var registrations = Outcomes()
    public var refreshes = Outcomes()
    /// Tokens that another process had refreshed.
    public var adoptions = 0
    /// By reason, for example `signed_out` or `refresh_token_reused`.
    public var signOuts: [FailureCode: Int] = [:]
    public var accountSwitches = 0
    public var storeFailures = 0
    /// Answers to the app's own requests, by their first digit.
    public var answers: [Int: Int] = [:]
    /// The app's own requests that got no answer.
    public var unanswered: [FailureCode: Int] = [:]
    public var replays = 0
    public var heldBack = 0
    public var timeHeldBack: Duration = .zero
    public var pinMismatches = 0
    public var queued = 0
    public var queueSent = 0
    public var queueDropped: [FailureCode: Int] = [:]
    public var queueCleared = 0
    /// How many requests waited when the queue was last heard of.
    public var queueDepth = 0

    public init() {}

    /// Of every way to sign in together.
    public var allSignIns: Outcomes {
        signIns.values.reduce(into: Outcomes()) { sum, outcomes in
            sum.successes += outcomes.successes
            sum.failures.merge(outcomes.failures, uniquingKeysWith: +)
        }
    }

    /// How many of the app's own requests had no answer, or one of 500 and above; from 0 to 1, nil before the first.
    public var requestErrorRate: Double? {
        let lost = unanswered.values.reduce(0, +)
        let total = answers.values.reduce(lost, +)
        return total == 0 ? nil : Double(lost + answers[5, default: 0]) / Double(total)
    }

    public mutating func add(_ event: ClientEvent) {
        switch event {
        case .signIn(let method, let failure): signIns[method, default: Outcomes()].add(failure)
        case .registration(let failure): registrations.add(failure)
        case .refresh(let failure, _): refreshes.add(failure)
        case .adopted: adoptions += 1
        case .signOut(let reason): signOuts[FailureCode(reason), default: 0] += 1
        case .signOutTold, .storeWritableAgain: break
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
