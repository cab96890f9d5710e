/// The state of an app lock: a pure function of its policy and of the events so far.
struct AppLockState: Hashable, Sendable {
    let policy: AppLockPolicy
    private(set) var isClosed: Bool
    /// The number of events that invalidate a prompt: locking, unlocking, and leaving the foreground. A prompt of an
    /// earlier generation no longer unlocks the session.
    private(set) var generation = 0
    private var backgroundSince: Duration?

    init(policy: AppLockPolicy) {
        self.policy = policy
        isClosed = policy != .never
    }

    /// Returns `true` if the session is unlocked.
    ///
    /// - Parameter now: The time of a monotonic clock.
    func isOpen(at now: Duration) -> Bool {
        guard !isClosed, let backgroundSince, case .afterBackground(let limit) = policy else { return !isClosed }
        return now - backgroundSince < limit
    }

    mutating func didEnterBackground(at now: Duration) {
        guard backgroundSince == nil else { return }
        backgroundSince = now
        // A prompt that is still shown is not visible to the person, so its result must not count.
        generation += 1
        if policy == .always { close() }
    }

    mutating func willEnterForeground(at now: Duration) {
        guard let since = backgroundSince else { return }
        backgroundSince = nil
        // The generation stays: a screen that prompts as the app enters the foreground may have started its prompt
        // before this.
        switch policy {
        case .never: break
        case .always, .onForeground: isClosed = true
        case .afterBackground(let limit): if now - since >= limit { isClosed = true }
        }
    }

    mutating func close() {
        generation += 1
        isClosed = policy != .never
    }

    /// Unlocks the session after a sign-in.
    mutating func open() {
        generation += 1
        isClosed = false
    }

    /// Unlocks the session after a passed prompt.
    ///
    /// - Parameter generation: The generation in which the prompt started.
    /// - Returns: `true` if the session is unlocked. It stays locked if it was locked again in the meantime.
    mutating func open(asked generation: Int) -> Bool {
        if generation == self.generation { open() }
        return !isClosed
    }
}
