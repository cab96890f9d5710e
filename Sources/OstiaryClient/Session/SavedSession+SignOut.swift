import OstiaryContracts
import OstiaryCore

/// How far a sign-out got.
public enum SignOutOutcome: Hashable, Sendable {
    /// Nobody was signed in.
    case wasSignedOut
    /// The session is over, here and on the server.
    case ended
    /// The session is forgotten here; the server could not be told and keeps it until it runs out.
    case endedHereOnly(RemoteFailure)
}

extension SavedSession {
    /// Clears the session, then tells the server, briefly.
    ///
    /// - Throws: ``SessionFailure/store(_:)`` if the store cannot be cleared; the server has not been told.
    public func end() async throws(SessionFailure) -> SignOutOutcome {
        let locked = try await lock()
        let record: SessionRecord
        do { record = try found(locked.read()) } catch .notSignedIn { return .wasSignedOut }
        do { try locked.clear() } catch { throw .store(error) }
        locked.unlock()
        return await tellServer(theEndOf: record)
    }

    private static let deadline: Duration = .seconds(5)

    func tellServer(theEndOf record: SessionRecord) async -> SignOutOutcome {
        do {
            let accessToken = try await tokenForSignOut(record)
            _ = try await auth.call(
                SignOut(accessToken: accessToken, refreshToken: record.refreshToken), within: Self.deadline)
            return .ended
        } catch {
            return .endedHereOnly(error)
        }
    }

    /// Where sign-out shows the access token alone, one that has expired names no session any more: a fresh one does.
    private func tokenForSignOut(_ record: SessionRecord) async throws(RemoteFailure) -> Secret<String> {
        let takesRefreshToken =
            auth.codec.endpoint(for: .signOut)?.takes?.contains { $0.field == .refreshToken } ?? false
        guard !takesRefreshToken, isExpired(record), let refreshToken = record.refreshToken else {
            return record.accessToken
        }
        return try await auth.call(Refresh(refreshToken: refreshToken), within: Self.deadline).accessToken
    }
}
