import Synchronization

/// Keeps a session locked until its owner shows themselves, by the rules of a policy.
///
/// It knows no session: whoever keeps one asks ``mayUse`` before each use, tells when somebody signs in, and keeps the
/// ``GateEnrolment`` with the session. Times are of a clock that nobody can set.
final class GateKeeper: Sendable {
    let policy: GatePolicy
    private let gate: any BiometricGate
    private let surroundings: ClientSurroundings
    private let inner: Mutex<Inner>
    private let broadcast = Broadcast<Bool>()

    private struct Inner {
        var state: GateState
        /// What listeners were told last.
        var told: Bool
        var prompt: Prompt?
        var prompts = 0
        /// A prompt that nobody waits for any more.
        var closing: Task<Void, Never>?
    }

    private struct Prompt {
        let number: Int
        let task: Task<Void, Never>
        let outcomes = Broadcast<GateOutcome>()
        var waiters = 0
    }

    init(gate: any BiometricGate, policy: GatePolicy, surroundings: ClientSurroundings = .system) {
        self.gate = gate
        self.policy = policy
        self.surroundings = surroundings
        let state = GateState(policy: policy)
        inner = Mutex(Inner(state: state, told: !state.isClosed))
    }

    /// Whether the session may be used now.
    var mayUse: Bool { inner.withLock { $0.state.isOpen(at: surroundings.uptime()) } }

    /// Whether it is open: the latest first, then every change, without repeats.
    var openness: AsyncStream<Bool> {
        inner.withLock { inner in broadcast.stream(buffering: .bufferingNewest(1)) { inner.told } }
    }

    // MARK: What happens

    /// The app is not to be seen any more. A sheet or a prompt over it is not that.
    func backgrounded() { change { $0.leaveForeground(at: $1) } }

    /// The app is to be seen again.
    func foregrounded() { change { $0.enterForeground(at: $1) } }

    /// Closes it at once, whatever has happened, as for a button that locks the app. Without effect under ``GatePolicy/never``.
    func close() { change { state, _ in state.close() } }

    /// Somebody has signed in, which opens the gate: for their session, so that none but theirs may be held by then.
    func signedIn() { change { state, _ in state.open() } }

    /// Whom the device knows now: to be kept with a session that begins.
    func enrolment() async -> GateEnrolment? {
        guard policy != .never, case .ready(let enrolment) = await gate.readiness() else { return nil }
        return enrolment == .unknown ? nil : enrolment
    }

    private func change(_ change: (inout GateState, Duration) -> Void) {
        inner.withLock { inner in
            change(&inner.state, surroundings.uptime())
            tell(&inner)
        }
    }

    /// Under the lock, so that nobody hears things in another order than they happened.
    private func tell(_ inner: inout Inner) {
        let isOpen = inner.state.isOpen(at: surroundings.uptime())
        guard isOpen != inner.told else { return }
        inner.told = isOpen
        broadcast.send(isOpen)
    }

    // MARK: Opening

    /// Asks the person, together with everybody who wants that meanwhile.
    ///
    /// A task that is cancelled no longer waits; the last one closes the prompt.
    ///
    /// - Parameters:
    ///   - reason: What the person is told, in a short sentence.
    ///   - known: Whom the device knew when they signed in; nil if that is not known.
    func unlock(_ reason: String, knowing known: GateEnrolment?) async -> GateOutcome {
        guard let (outcomes, number) = join(reason, known) else { return .open(known) }
        var iterator = outcomes.makeAsyncIterator()
        if let outcome = await iterator.next() { return outcome }
        leave(number)
        return .closed(.cancelled)
    }

    /// - Returns: Nil if the gate is open.
    private func join(_ reason: String, _ known: GateEnrolment?) -> (AsyncStream<GateOutcome>, number: Int)? {
        inner.withLock { inner in
            guard !inner.state.isOpen(at: surroundings.uptime()) else { return nil }
            var prompt = inner.prompt ?? begin(reason, known, &inner)
            prompt.waiters += 1
            inner.prompt = prompt
            return (prompt.outcomes.stream(buffering: .bufferingNewest(1)), prompt.number)
        }
    }

    private func begin(_ reason: String, _ known: GateEnrolment?, _ inner: inout Inner) -> Prompt {
        inner.prompts += 1
        let (number, generation, former) = (inner.prompts, inner.state.generation, inner.closing)
        return Prompt(
            number: number,
            task: Task {
                await former?.value
                let finding = await GateFinding(asking: gate, reason, knowing: known)
                conclude(finding, of: number, asked: generation)
            })
    }

    private func leave(_ number: Int) {
        inner.withLock { inner in
            guard inner.prompt?.number == number else { return }
            inner.prompt?.waiters -= 1
            guard let prompt = inner.prompt, prompt.waiters == 0 else { return }
            prompt.task.cancel()
            inner.closing = prompt.task
            inner.prompt = nil
        }
    }

    private func conclude(_ finding: GateFinding, of number: Int, asked generation: Int) {
        inner.withLock { inner in
            // Nobody waits for one that was closed, and nobody sees what it opens.
            guard let prompt = inner.prompt, prompt.number == number else { return }
            inner.prompt = nil
            let outcome: GateOutcome =
                switch finding {
                case .passed(let enrolment):
                    inner.state.open(asked: generation) ? .open(enrolment) : .closed(.interrupted)
                case .closed(let problem): .closed(problem)
                case .signInNeeded(let reason): .signInNeeded(reason)
                }
            tell(&inner)
            prompt.outcomes.send(outcome)
        }
    }
}
