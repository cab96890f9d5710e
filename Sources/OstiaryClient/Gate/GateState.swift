/// Whether a gate is open: a pure function of its policy and of what has happened.
struct GateState: Hashable, Sendable {
    let policy: GatePolicy
    private(set) var isClosed: Bool
    /// How often it was closed or opened. What was asked before does not count after.
    private(set) var generation = 0
    private var backgroundSince: Duration?

    init(policy: GatePolicy) {
        self.policy = policy
        isClosed = policy != .never
    }

    /// - Parameter now: Time that nobody can set.
    func isOpen(at now: Duration) -> Bool {
        guard !isClosed, let backgroundSince, case .afterBackground(let limit) = policy else { return !isClosed }
        return now - backgroundSince < limit
    }

    mutating func leaveForeground(at now: Duration) {
        guard backgroundSince == nil else { return }
        backgroundSince = now
        // A prompt that is up is answered by nobody who can see it.
        generation += 1
        if policy == .always { close() }
    }

    mutating func enterForeground(at now: Duration) {
        guard let since = backgroundSince else { return }
        backgroundSince = nil
        // No other generation: a screen that asks as the app comes to the front may have been quicker than this.
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

    /// Somebody has signed in.
    mutating func open() {
        generation += 1
        isClosed = false
    }

    /// Somebody has passed.
    ///
    /// - Parameter generation: The one in which they were asked.
    /// - Returns: Whether it is open. It stays closed if it was closed again meanwhile.
    mutating func open(asked generation: Int) -> Bool {
        if generation == self.generation { open() }
        return !isClosed
    }
}
