import Foundation
import OstiaryContracts
import OstiaryCore

extension SessionKeeper {
    /// For everything about one sign-out.
    private static let deadline: Duration = .seconds(5)
    /// After that no token of it works anywhere.
    private static let longestKept: TimeInterval = 90 * 86_400

    func untold() async -> [UntoldSignOut] {
        if case .found(let saved) = await store.read() { saved.untoldSignOuts } else { [] }
    }

    /// Tells the server of sign-outs that it has not heard of, and goes on trying for as long as somebody has the client.
    func tellSignOuts() async {
        let before = telling
        let task = Task {
            await before?.value
            guard await tellUntold() else { return tellAgain() }
        }
        telling = task
        await task.value
    }

    /// - Returns: Whether none is left. One that fails stops the others: they come later.
    private func tellUntold() async -> Bool {
        for signOut in await untold() where isOurs(signOut.session) {
            if surroundings.now().timeIntervalSince(signOut.since) <= Self.longestKept {
                guard await tell(signOut.session) else { return false }
            }
            _ = await change { saved in saved.untoldSignOuts.removeAll { $0.session.id == signOut.session.id } }
        }
        return true
    }

    private static let firstWait: Duration = .seconds(15)
    private static let longestWait: Duration = .seconds(300)

    private func tellAgain() {
        guard tellingAgain == nil else { return }
        tellingAgain = Task { [weak self, surroundings] in
            var wait = Self.firstWait
            while (try? await surroundings.sleep(wait)) != nil, await self?.tellUntold() == false {
                wait = min(Self.longestWait, wait * 2)
            }
            await self?.stopTellingAgain()
        }
    }

    private func stopTellingAgain() { tellingAgain = nil }

    /// - Returns: Whether the server has answered; what it answered ends the session or says that it has ended.
    func tell(_ session: ClientSession) async -> Bool {
        do throws(ClientError) {
            let accessToken = try await tokenForSignOut(session)
            _ = try await auth.perform(
                SignOut(
                    accessToken: accessToken, refreshToken: session.refreshToken, alsoEnding: accessToken),
                within: Self.deadline, at: surroundings)
        } catch {
            switch error {
            case .refused, .unsupported: break
            default: return false
            }
        }
        events.send(.signOutTold)
        return true
    }

    /// Where sign-out shows the access token alone, one that has expired names no session any more: a fresh one does.
    private func tokenForSignOut(_ session: ClientSession) async throws(ClientError) -> Secret<String> {
        let takesRefreshToken =
            auth.codec.endpoint(for: .signOut)?.takes?.contains { $0.field == .refreshToken } ?? false
        let isExpired = session.expiresAt.map { $0 <= surroundings.now() } ?? false
        guard !takesRefreshToken, isExpired, let refreshToken = session.refreshToken else { return session.accessToken }
        return try await auth.perform(
            Refresh(refreshToken: refreshToken), within: Self.deadline, at: surroundings
        ).accessToken
    }
}
