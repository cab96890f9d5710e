import Synchronization

/// Something that belongs to a session and goes with it, such as the requests that wait to be sent in its name.
protocol SessionCompanion: Sendable {
    /// The store has answered; nobody else has a session on this server.
    func found(_ sessions: [ClientSession]) async
    /// A session is gone, from memory and from the store, and its account with it.
    func left(_ session: ClientSession) async
}

/// Everything that goes along with sessions.
final class SessionCompanions: Sendable {
    private let all = Mutex<[any SessionCompanion]>([])

    func add(_ companion: any SessionCompanion) { all.withLock { $0.append(companion) } }

    func found(_ sessions: [ClientSession]) async {
        for companion in all.withLock({ $0 }) { await companion.found(sessions) }
    }

    func left(_ session: ClientSession) async {
        for companion in all.withLock({ $0 }) { await companion.left(session) }
    }
}
