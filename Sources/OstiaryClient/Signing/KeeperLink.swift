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
            fetch: { token throws(ClientError) in try await auth.signingKey(token, at: surroundings) }, keep: keep)
    }
}

extension RemoteAuth {
    /// - Throws: ``ClientError/unsupported(_:)`` from a server that signs nothing: nothing is sent unsigned instead.
    fileprivate func signingKey(
        _ token: Secret<String>, at surroundings: ClientSurroundings
    ) async throws(ClientError) -> RequestSigningKey {
        do {
            return try await perform(IssueSigningKey(accessToken: token), at: surroundings)
        } catch {
            throw error == .refused(.notFound) ? .unsupported(.issueSigningKey) : error
        }
    }
}
