import OstiaryContracts

/// Clears what a person has queued when their session is gone.
struct QueueSessionObserver: SessionLifecycleObserver {
    /// Weak: the queue refers to the keeper of sessions, which refers to its observers.
    weak let queue: RequestQueue?
    let contract: String
    let baseURL: BaseURL

    func found(_ sessions: [ClientSession]) async {
        await queue?.keepOnly(Set(sessions.map { QueueOwner($0) }), contract: contract, baseURL: baseURL)
    }

    func removed(_ session: ClientSession) async { await queue?.clear(QueueOwner(session)) }
}
