import OstiaryContracts
import OstiaryCore
import Synchronization

/// The way from what signs requests to what keeps the sessions, which has the former.
final class KeeperLink: Sendable {
    private struct Reference: Sendable { weak var keeper: SessionKeeper? }

    private let reference = Mutex(Reference())

    func set(_ keeper: SessionKeeper) { reference.withLock { $0.keeper = keeper } }

    func keep(_ key: RequestSigningKey, of session: ClientSession.ID) async {
        await reference.withLock { $0.keeper }?.keep(key, of: session)
    }
}

extension RequestSigning {
    /// Asks the app's server for keys.
    init(_ auth: RemoteAuth, at surroundings: ClientSurroundings, keep: @escaping Keep) {
        self.init(
            baseURL: auth.baseURL, now: surroundings.now,
            fetch: { token throws(ClientError) in
                try await auth.perform(IssueSigningKey(accessToken: token), at: surroundings)
            }, keep: keep)
    }
}
