import OstiaryContracts

/// The timer that refreshes a token when its lead begins, if the contract enables that.
///
/// Owned by one ``SessionKeeper`` and used in its isolation only.
final class RefreshTimer {
    private let isEnabled: Bool
    private let lead: Duration
    private let system: ClientDependencies
    private let pacing: RefreshPacing
    private var timer: Task<Void, Never>?

    init(_ contract: Contract, pacing: RefreshPacing, system: ClientDependencies) {
        isEnabled = contract.client.refreshesAhead
        lead = .seconds(contract.client.refreshLeadSeconds)
        self.pacing = pacing
        self.system = system
    }

    /// Schedules the refresh of a token, replacing the previous schedule.
    func schedule(_ held: HeldSession, notBefore pause: Duration? = nil, on keeper: isolated SessionKeeper) {
        timer?.cancel()
        guard isEnabled, held.session.refreshToken != nil, let end = held.freshUntil(lead: lead) else { return }
        let due = max(end, pacing.notBefore ?? end, pause ?? end)
        timer = Task { [weak keeper, system] in
            guard (try? await system.sleep(until: due)) != nil, !Task.isCancelled else { return }
            await keeper?.refreshIfDue(held.token)
        }
    }

    func cancel() { timer?.cancel() }
}
