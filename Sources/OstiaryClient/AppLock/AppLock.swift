import Synchronization

/// The lock of a session: closed and opened by the rules of a policy, until the session's owner passes the biometric
/// prompt.
///
/// It holds no session. The owner of a session checks ``mayUse`` before each use, reports each sign-in, and stores the
/// ``BiometricEnrolment`` with the session. Times are of a monotonic clock, which cannot be set.
final class AppLock: Sendable {
    let policy: AppLockPolicy
    private let biometricPrompt: any BiometricPrompt
    private let system: ClientDependencies
    private let inner: Mutex<Inner>
    private let broadcast = Broadcast<Bool>()

    private struct Inner {
        var state: AppLockState
        /// The value of ``mayUse`` that was last published.
        var publishedOpenness: Bool
        var prompt: Prompt?
        var prompts = 0
        /// A cancelled prompt without waiters that is being closed.
        var closing: Task<Void, Never>?
    }

    private struct Prompt {
        let number: Int
        let task: Task<Void, Never>
        let outcomes = Broadcast<UnlockOutcome>()
        var waiters = 0
    }

    init(biometricPrompt: any BiometricPrompt, policy: AppLockPolicy, system: ClientDependencies = .system) {
        self.biometricPrompt = biometricPrompt
        self.policy = policy
        self.system = system
        let state = AppLockState(policy: policy)
        inner = Mutex(Inner(state: state, publishedOpenness: !state.isClosed))
    }

    /// `true` if the session may be used now.
    var mayUse: Bool { inner.withLock { $0.state.isOpen(at: system.uptime()) } }

    /// A stream of ``mayUse``: the latest value first, then every change, without repeats.
    var openness: AsyncStream<Bool> {
        inner.withLock { inner in broadcast.stream(buffering: .bufferingNewest(1)) { inner.publishedOpenness } }
    }

    // MARK: Events

    /// Records that the app has entered the background. A sheet or a prompt over the app does not count.
    func didEnterBackground() { change { $0.didEnterBackground(at: $1) } }

    /// Records that the app has entered the foreground.
    func willEnterForeground() { change { $0.willEnterForeground(at: $1) } }

    /// Locks the session at once, regardless of earlier events, as for a lock button. Without effect under
    /// ``AppLockPolicy/never``.
    func close() { change { state, _ in state.close() } }

    /// Records a sign-in, which unlocks the new session. The caller must have replaced every other session by then.
    func signedIn() { change { state, _ in state.open() } }

    /// Returns the current enrolment of the device, to be stored with a new session; `nil` if there is none, it is
    /// unknown, or the policy is ``AppLockPolicy/never``.
    func enrolment() async -> BiometricEnrolment? {
        guard policy != .never, case .ready(let enrolment) = await biometricPrompt.readiness() else { return nil }
        return enrolment == .unknown ? nil : enrolment
    }

    private func change(_ change: (inout AppLockState, Duration) -> Void) {
        inner.withLock { inner in
            change(&inner.state, system.uptime())
            publish(&inner)
        }
    }

    /// Publishes a change of ``mayUse``. Called within the mutex, so that listeners receive changes in order.
    private func publish(_ inner: inout Inner) {
        let isOpen = inner.state.isOpen(at: system.uptime())
        guard isOpen != inner.publishedOpenness else { return }
        inner.publishedOpenness = isOpen
        broadcast.send(isOpen)
    }

    // MARK: Unlocking

    /// Prompts the person, with one prompt that all concurrent callers share.
    ///
    /// A cancelled task stops waiting; the last one closes the prompt.
    ///
    /// - Parameters:
    ///   - reason: A short sentence that the prompt shows to the person.
    ///   - known: The enrolment of the device at sign-in; `nil` if it is not known.
    func unlock(_ reason: String, knowing known: BiometricEnrolment?) async -> UnlockOutcome {
        guard let (outcomes, number) = join(reason, known) else { return .open(known) }
        var iterator = outcomes.makeAsyncIterator()
        if let outcome = await iterator.next() { return outcome }
        stopWaiting(number)
        return .closed(.cancelled)
    }

    /// Joins the current prompt, or begins one.
    ///
    /// - Returns: `nil` if the session is unlocked.
    private func join(_ reason: String, _ known: BiometricEnrolment?) -> (AsyncStream<UnlockOutcome>, number: Int)? {
        inner.withLock { inner in
            guard !inner.state.isOpen(at: system.uptime()) else { return nil }
            var prompt = inner.prompt ?? begin(reason, known, &inner)
            prompt.waiters += 1
            inner.prompt = prompt
            return (prompt.outcomes.stream(buffering: .bufferingNewest(1)), prompt.number)
        }
    }

    private func begin(_ reason: String, _ known: BiometricEnrolment?, _ inner: inout Inner) -> Prompt {
        inner.prompts += 1
        let (number, generation, former) = (inner.prompts, inner.state.generation, inner.closing)
        return Prompt(
            number: number,
            task: Task {
                await former?.value
                let finding = await PresenceCheckResult(asking: biometricPrompt, reason, knowing: known)
                conclude(finding, of: number, asked: generation)
            })
    }

    private func stopWaiting(_ number: Int) {
        inner.withLock { inner in
            guard inner.prompt?.number == number else { return }
            inner.prompt?.waiters -= 1
            guard let prompt = inner.prompt, prompt.waiters == 0 else { return }
            prompt.task.cancel()
            inner.closing = prompt.task
            inner.prompt = nil
        }
    }

    private func conclude(_ finding: PresenceCheckResult, of number: Int, asked generation: Int) {
        inner.withLock { inner in
            // A closed prompt has no waiters, and must not unlock the session.
            guard let prompt = inner.prompt, prompt.number == number else { return }
            inner.prompt = nil
            let outcome: UnlockOutcome =
                switch finding {
                case .passed(let enrolment):
                    inner.state.open(asked: generation) ? .open(enrolment) : .closed(.interrupted)
                case .closed(let problem): .closed(problem)
                case .signInNeeded(let reason): .signInNeeded(reason)
                }
            publish(&inner)
            prompt.outcomes.send(outcome)
        }
    }
}
