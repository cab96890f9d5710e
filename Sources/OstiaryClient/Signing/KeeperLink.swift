import Foundation
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

    func signingKey(
        for token: IssuedToken, otherThan stale: RequestSigningKey?
    ) async throws(ClientError) -> RequestSigningKey {
        guard let keeper = reference.withLock({ $0.keeper }) else { throw .notSignedIn }
        return try await keeper.signingKey(for: token, otherThan: stale)
    }
}

extension RequestSigning {
    /// Gets keys from the keeper of the sessions.
    init(baseURL: BaseURL, now: @escaping @Sendable () -> Date, by link: KeeperLink) {
        self.init(
            baseURL: baseURL, now: now,
            fetch: { token, stale throws(ClientError) in try await link.signingKey(for: token, otherThan: stale) },
            keep: { key, session in await link.keep(key, of: session) })
    }
}
