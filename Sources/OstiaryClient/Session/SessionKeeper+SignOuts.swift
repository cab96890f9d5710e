import Foundation
import OstiaryContracts
import OstiaryCore

extension SessionKeeper {
    /// For everything about one sign-out.
    private static let deadline: Duration = .seconds(5)
    /// After that no token of it works anywhere.
    private static let longestKept: TimeInterval = 90 * 86_400

    /// Nil where the store cannot tell.
    func untold() async -> [UntoldSignOut]? {
        switch await read() {
        case .found(let saved): saved.untoldSignOuts
        case .absent: []
        case .unavailable: nil
        }
    }

    /// Tells the server of sign-outs that it has not heard of, and goes on trying for as long as somebody has the client.
    func tellSignOuts() async {
        if await tellInTurn().value == false { tellAgain() }
    }

    /// The same, without waiting: ``settle()`` does.
    func beginToTellSignOuts() {
        let task = tellInTurn()
        Task { if await task.value == false { tellAgain() } }
    }

    /// One after the other, so that none is told twice.
    private func tellInTurn() -> Task<Bool, Never> {
        let before = telling
        let task = Task {
            _ = await before?.value
            return await tellUntold()
        }
        telling = task
        return task
    }

    /// - Returns: Whether none is left.
    private func tellUntold() async -> Bool {
        guard let untold = await untold() else { return false }
        var isDone = true
        for signOut in untold where isOurs(signOut.session) {
            let isTooOld = surroundings.now().timeIntervalSince(signOut.since) > Self.longestKept
            if !isTooOld {
                guard await tell(signOut.session) else {
                    isDone = false
                    continue
                }
            }
            _ = await change { saved in saved.untoldSignOuts.removeAll { $0.session.id == signOut.session.id } }
        }
        return isDone
    }

    private static let firstWait: Duration = .seconds(15)
    private static let longestWait: Duration = .seconds(300)

    private func tellAgain() {
        guard tellingAgain == nil else { return }
        tellingAgain = Task { [weak self, surroundings] in
            var wait = Self.firstWait
            while (try? await surroundings.sleep(wait)) != nil, await self?.isStillUntold() == true {
                wait = min(Self.longestWait, wait * 2)
            }
        }
    }

    /// Tries once more. The step that finds all told, and nobody at it, also ends the trying: whoever fails after it begins anew.
    private func isStillUntold() async -> Bool {
        let turn = tellInTurn()
        guard await turn.value, telling == turn else { return true }
        tellingAgain = nil
        return false
    }

    /// - Returns: Whether the server has ended the session, or says that it has ended.
    func tell(_ session: ClientSession) async -> Bool {
        do throws(ClientError) {
            let needsFresh = namesSessionByAccessToken && session.refreshToken != nil
            let isExpired = session.expiresAt.map { $0 <= surroundings.now() } ?? true
            if needsFresh, isExpired {
                try await tell(session, showing: freshToken(session))
            } else {
                do {
                    try await tell(session, showing: session.accessToken)
                } catch .refused(.invalidAccessToken) where needsFresh {
                    try await tell(session, showing: freshToken(session))
                }
            }
        } catch {
            switch error {
            case .unsupported: break
            case .refused(let refusal): guard refusal.isAboutSession else { return false }
            default: return false
            }
        }
        events.send(.signOutTold)
        return true
    }

    private func tell(_ session: ClientSession, showing accessToken: Secret<String>) async throws(ClientError) {
        let signOut = SignOut(
            accessToken: accessToken, refreshToken: session.refreshToken, alsoEnding: accessToken)
        _ = try await auth.perform(signOut, within: Self.deadline, at: surroundings)
    }

    /// Where sign-out shows the access token alone, one that has run out names no session any more: a fresh one does.
    private func freshToken(_ session: ClientSession) async throws(ClientError) -> Secret<String> {
        guard let refreshToken = session.refreshToken else { return session.accessToken }
        return try await auth.perform(
            Refresh(refreshToken: refreshToken), within: Self.deadline, at: surroundings
        ).accessToken
    }

    private var namesSessionByAccessToken: Bool {
        auth.codec.endpoint(for: .signOut)?.takes?.contains { $0.field == .refreshToken } != true
    }
}

extension StoredSessions {
    /// Whether there is, or can be, a sign-out of which the server has not heard.
    var mayHoldUntoldSignOuts: Bool {
        switch self {
        case .found(let saved): !saved.untoldSignOuts.isEmpty
        case .absent: false
        case .unavailable: true
        }
    }
}

extension AuthError {
    /// Whether it says that a session has ended, or is none.
    fileprivate var isAboutSession: Bool {
        switch self {
        case .invalidAccessToken, .sessionRevoked, .accountDisabled, .refreshTokenInvalid, .refreshTokenReused,
            .refreshTokenExpired, .refreshTokenRevoked:
            true
        default: false
        }
    }
}
