import Foundation
import OstiaryContracts
import OstiaryCore

/// The sign-outs that the server has not heard of, and the repetition of revoking them.
///
/// They are stored with the sessions: ``SavedSessions/untoldSignOuts``. Belongs to one ``SessionKeeper`` and is used in its
/// isolation only.
final class PendingRevocations {
    private let auth: RemoteAuth
    private let storage: SessionStorage
    private let surroundings: ClientSurroundings
    private let events: Broadcast<ClientEvent>
    /// The last pass that was begun; each waits for the one before it.
    private(set) var lastPass: Task<Bool, Never>?
    private var retrying: Task<Void, Never>?

    init(
        auth: RemoteAuth, storage: SessionStorage, surroundings: ClientSurroundings, events: Broadcast<ClientEvent>
    ) {
        self.auth = auth
        self.storage = storage
        self.surroundings = surroundings
        self.events = events
    }

    /// For everything about one sign-out.
    private static let deadline: Duration = .seconds(5)
    /// After that no token of it works anywhere.
    private static let longestKept: TimeInterval = 90 * 86_400

    /// Returns false where the session's sign-out is pending, or where the store cannot tell.
    func isRevoked(_ id: ClientSession.ID, on keeper: isolated SessionKeeper) async -> Bool {
        await all(on: keeper)?.contains { $0.session.id == id } == false
    }

    /// Nil where the store cannot tell.
    private func all(on keeper: isolated SessionKeeper) async -> [UntoldSignOut]? {
        switch await storage.read(on: keeper) {
        case .found(let saved): saved.untoldSignOuts
        case .absent: []
        case .unavailable: nil
        }
    }

    /// Revokes on the server what is pending, and repeats it for as long as the keeper exists.
    func revoke(on keeper: isolated SessionKeeper) async {
        if await beginPass(on: keeper).value == false { retryLater(on: keeper) }
    }

    /// The same, without waiting: ``settle(on:)`` does.
    func beginRevoking(on keeper: isolated SessionKeeper) {
        let pass = beginPass(on: keeper)
        Task { if await pass.value == false { retryLater(on: keeper) } }
    }

    func settle(on keeper: isolated SessionKeeper) async { _ = await lastPass?.value }

    /// One pass after the other, so that none is revoked twice.
    private func beginPass(on keeper: isolated SessionKeeper) -> Task<Bool, Never> {
        let before = lastPass
        let pass = Task {
            _ = await before?.value
            return await revokeAll(on: keeper)
        }
        lastPass = pass
        return pass
    }

    /// - Returns: True if none is left.
    private func revokeAll(on keeper: isolated SessionKeeper) async -> Bool {
        guard let pending = await all(on: keeper) else { return false }
        var isDone = true
        for signOut in pending where signOut.session.belongs(to: auth) {
            let isTooOld = surroundings.now().timeIntervalSince(signOut.since) > Self.longestKept
            if !isTooOld {
                guard await revokeOnServer(signOut.session, on: keeper) else {
                    isDone = false
                    continue
                }
            }
            _ = await storage.change(on: keeper) { saved in
                saved.untoldSignOuts.removeAll { $0.session.id == signOut.session.id }
            }
        }
        return isDone
    }

    private static let firstWait: Duration = .seconds(15)
    private static let longestWait: Duration = .seconds(300)

    private func retryLater(on keeper: isolated SessionKeeper) {
        guard retrying == nil else { return }
        retrying = surroundings.retry(first: Self.firstWait, longest: Self.longestWait) { [weak keeper] in
            await keeper?.retryRevocations() == true
        }
    }

    /// Tries once more. The step that finds all revoked, and no later pass, also ends the retries: the next failure begins them
    /// anew.
    ///
    /// - Returns: True if revocations may still be pending.
    func retry(on keeper: isolated SessionKeeper) async -> Bool {
        let pass = beginPass(on: keeper)
        guard await pass.value, lastPass == pass else { return true }
        retrying = nil
        return false
    }

    // MARK: The server

    /// Revokes a session on the server.
    ///
    /// - Returns: True if the server has ended the session, or says that it has ended.
    func revokeOnServer(_ session: ClientSession, on keeper: isolated SessionKeeper) async -> Bool {
        do throws(ClientError) {
            let needsFresh = namesSessionByAccessToken && session.refreshToken != nil
            let isExpired = session.expiresAt.map { $0 <= surroundings.now() } ?? true
            if needsFresh, isExpired {
                try await revoke(session, showing: freshToken(session, on: keeper), on: keeper)
            } else {
                do {
                    try await revoke(session, showing: session.accessToken, on: keeper)
                } catch .refused(.invalidAccessToken) where needsFresh {
                    try await revoke(session, showing: freshToken(session, on: keeper), on: keeper)
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

    private func revoke(
        _ session: ClientSession, showing accessToken: Secret<String>, on keeper: isolated SessionKeeper
    ) async throws(ClientError) {
        let signOut = SignOut(
            accessToken: accessToken, refreshToken: session.refreshToken, alsoEnding: accessToken)
        _ = try await auth.perform(signOut, within: Self.deadline, at: surroundings)
    }

    /// Gets a fresh access token: where sign-out shows it alone, an expired one names no session.
    private func freshToken(
        _ session: ClientSession, on keeper: isolated SessionKeeper
    ) async throws(ClientError) -> Secret<String> {
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
    /// True if there is, or can be, a sign-out of which the server has not heard.
    var mayHoldUntoldSignOuts: Bool {
        switch self {
        case .found(let saved): !saved.untoldSignOuts.isEmpty
        case .absent: false
        case .unavailable: true
        }
    }
}

extension ClientSession {
    /// True if the server of `auth` issued it: a token is sent to no other.
    func belongs(to auth: RemoteAuth) -> Bool {
        contract == auth.contract.name && baseURL == auth.baseURL
    }
}

extension AuthError {
    /// True if it says that a session has ended, or is none.
    fileprivate var isAboutSession: Bool {
        switch self {
        case .invalidAccessToken, .sessionRevoked, .accountDisabled, .refreshTokenInvalid, .refreshTokenReused,
            .refreshTokenExpired, .refreshTokenRevoked:
            true
        default: false
        }
    }
}
