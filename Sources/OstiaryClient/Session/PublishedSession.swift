import Synchronization

/// The state of a ``SessionKeeper`` that any thread can read synchronously.
final class PublishedSession: Sendable {
    private struct View {
        var state = SessionState.unknown
        var token: IssuedToken?
        /// The ``ClientDependencies/uptime`` until which ``token`` is used without a refresh; `nil` for no limit.
        var freshUntil: Duration?
        var endsAt: Duration?
    }

    private let view = Mutex(View())
    private let listeners = Broadcast<SessionState>()

    var state: SessionState { view.withLock { $0.state } }

    /// A stream of the latest state, followed by every change.
    var states: AsyncStream<SessionState> {
        // Registered under the lock, so that no change is delivered twice or missed.
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
