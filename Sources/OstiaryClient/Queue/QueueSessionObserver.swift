import OstiaryContracts

/// An observer that removes a user's queued requests when their session ends.
struct QueueSessionObserver: SessionLifecycleObserver {
    /// Weak, because the queue refers to the ``SessionKeeper``, which refers to its observers.
    weak var queue: RequestQueue?
    let contract: String
    let baseURL: BaseURL

    func found(_ sessions: [ClientSession]) async {
        await queue?.keepOnly(Set(sessions.map { QueueOwner($0) }), contract: contract, baseURL: baseURL)
    }

    func removed(_ session: ClientSession) async { await queue?.clear(QueueOwner(session)) }
}
