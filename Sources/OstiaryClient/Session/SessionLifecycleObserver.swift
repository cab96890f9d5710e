import Synchronization

/// An owner of data that belongs to a session and is removed with it, such as requests queued in its name.
protocol SessionLifecycleObserver: Sendable {
    /// The store has been read for the first time; these are all the stored sessions.
    func found(_ sessions: [ClientSession]) async
    /// A session has been removed from memory and from the store, and its account with it.
    func removed(_ session: ClientSession) async
}

/// The observers of one keeper's sessions, notified serially.
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
