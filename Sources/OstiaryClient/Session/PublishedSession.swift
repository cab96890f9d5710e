import Synchronization

/// What everybody may see of a ``SessionKeeper`` without waiting for it.
final class PublishedSession: Sendable {
    private struct View {
        var state = SessionState.unknown
        var token: IssuedToken?
        /// Until when ``token`` is used without another thought; nil for ever.
        var freshUntil: Duration?
        var endsAt: Duration?
    }

    private let view = Mutex(View())
    private let listeners = Broadcast<SessionState>()

    var state: SessionState { view.withLock { $0.state } }

    /// The latest first, then every change.
    var states: AsyncStream<SessionState> {
        // Under the lock, so that no change is told twice or missed.
        view.withLock { view in listeners.stream(buffering: .unbounded, first: { view.state }) }
    }

    func freshToken(at uptime: Duration) -> IssuedToken? {
        view.withLock { view in
            guard let token = view.token, view.freshUntil.map({ uptime < $0 }) ?? true else { return nil }
            return token
        }
    }

    func hasValidToken(at uptime: Duration) -> Bool {
        view.withLock { $0.token != nil && ($0.endsAt.map { uptime < $0 } ?? true) }
    }

    func publish(_ state: SessionState, _ held: HeldSession?, lead: Duration) {
        view.withLock { view in
            let isNew = view.state != state
            view = View(
                state: state, token: held?.token, freshUntil: held?.freshUntil(lead: lead), endsAt: held?.endsAt)
            if isNew { listeners.send(state) }
        }
    }
}
