import Synchronization

/// An owner of something that belongs to a session and goes with it, such as the requests that wait to be sent in its name.
protocol SessionLifecycleObserver: Sendable {
    /// The store has answered; there are no other sessions on this server.
    func found(_ sessions: [ClientSession]) async
    /// A session is gone, from memory and from the store, and its account with it.
    func removed(_ session: ClientSession) async
}

/// The observers of one keeper's sessions, told one after the other.
final class SessionLifecycleObservers: Sendable {
    private let all = Mutex<[any SessionLifecycleObserver]>([])

    func add(_ observer: any SessionLifecycleObserver) { all.withLock { $0.append(observer) } }

    func found(_ sessions: [ClientSession]) async {
        for observer in all.withLock({ $0 }) { await observer.found(sessions) }
    }

    func removed(_ session: ClientSession) async {
        for observer in all.withLock({ $0 }) { await observer.removed(session) }
    }
}
