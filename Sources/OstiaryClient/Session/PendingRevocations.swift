import Foundation
import OstiaryContracts
import OstiaryCore

/// The sign-outs that the server has not confirmed, and the retries of revoking them.
///
/// They are stored with the sessions, in ``SavedSessions/pendingRevocations``. Owned by one ``SessionKeeper`` and used
/// in its isolation only.
final class PendingRevocations {
    private let auth: RemoteAuth
    private let storage: SessionStorage
    private let system: ClientDependencies
    private let events: Broadcast<ClientEvent>
    /// The last pass that was started; each waits for the one before it.
    private(set) var lastPass: Task<Bool, Never>?
    private var retrying: Task<Void, Never>?

    init(
        auth: RemoteAuth, storage: SessionStorage, system: ClientDependencies, events: Broadcast<ClientEvent>
    ) {
        self.auth = auth
        self.storage = storage
        self.system = system
        self.events = events
    }

    /// The time limit of each request to the server in a revocation.
    private static let deadline: Duration = .seconds(5)
    /// The age after which a pending revocation is dropped: after that time no token of the session works any more.
    private static let longestKept: TimeInterval = 90 * 86_400

    /// Returns `false` if the session's revocation is pending or the store cannot be read.
    func isRevoked(_ id: ClientSession.ID, on keeper: isolated SessionKeeper) async -> Bool {
        await all(on: keeper)?.contains { $0.session.id == id } == false
    }

    /// Returns every pending revocation; `nil` if the store cannot be read.
    private func all(on keeper: isolated SessionKeeper) async -> [PendingRevocation]? {
        switch await storage.read(on: keeper) {
        case .found(let saved): saved.pendingRevocations
        case .absent: []
        case .unavailable: nil
        }
    }

    /// Revokes the pending sessions on the server, and retries in the background for as long as the keeper exists.
    func revoke(on keeper: isolated SessionKeeper) async {
        if await beginPass(on: keeper).value == false { retryLater(on: keeper) }
    }

    /// Starts the same without waiting; ``settle(on:)`` waits for it.
    func beginRevoking(on keeper: isolated SessionKeeper) {
        let pass = beginPass(on: keeper)
        Task { if await pass.value == false { retryLater(on: keeper) } }
    }

    func settle(on keeper: isolated SessionKeeper) async { _ = await lastPass?.value }

    /// Starts a pass over the pending revocations. Passes are serial, so that no session is revoked twice.
    private func beginPass(on keeper: isolated SessionKeeper) -> Task<Bool, Never> {
        let before = lastPass
        let pass = Task {
            _ = await before?.value
            return await revokeAll(on: keeper)
        }
        lastPass = pass
        return pass
    }

    /// Revokes every pending session of this server once.
    ///
    /// - Returns: `true` if none is left.
    private func revokeAll(on keeper: isolated SessionKeeper) async -> Bool {
        guard let pending = await all(on: keeper) else { return false }
        var isDone = true
        for signOut in pending where signOut.session.belongs(to: auth) {
            let isTooOld = system.now().timeIntervalSince(signOut.since) > Self.longestKept
            if !isTooOld {
                guard await revokeOnServer(signOut.session, on: keeper) else {
                    isDone = false
                    continue
                }
            }
            _ = await storage.change(on: keeper) { saved in
                saved.pendingRevocations.removeAll { $0.session.id == signOut.session.id }
            }
        }
        return isDone
    }

    private static let firstWait: Duration = .seconds(15)
    private static let longestWait: Duration = .seconds(300)

    private func retryLater(on keeper: isolated SessionKeeper) {
        guard retrying == nil else { return }
        retrying = system.retry(first: Self.firstWait, longest: Self.longestWait) { [weak keeper] in
            await keeper?.retryRevocations() == true
        }
    }

    /// Runs one retry. The step that finds all sessions revoked, with no later pass begun, also ends the retry loop;
    /// the next failure starts a new one.
    ///
    /// - Returns: `true` if revocations may still be pending.
    func retry(on keeper: isolated SessionKeeper) async -> Bool {
        let pass = beginPass(on: keeper)
        guard await pass.value, lastPass == pass else { return true }
        retrying = nil
        return false
    }

    // MARK: Server requests

    /// Revokes a session on the server.
    ///
    /// - Returns: `true` if the server has ended the session, reports that it has already ended, or has no operation
    ///   for it.
    func revokeOnServer(_ session: ClientSession, on keeper: isolated SessionKeeper) async -> Bool {
        do throws(ClientError) {
            let needsFresh = namesSessionByAccessToken && session.refreshToken != nil
            let isExpired = session.expiresAt.map { $0 <= system.now() } ?? true
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
        events.send(.revocationSent)
        return true
    }

    private func revoke(
        _ session: ClientSession, showing accessToken: Secret<String>, on keeper: isolated SessionKeeper
    ) async throws(ClientError) {
        let signOut = SignOut(
            accessToken: accessToken, refreshToken: session.refreshToken, alsoEnding: accessToken)
        _ = try await auth.perform(
            signOut, within: Self.deadline, proof: session.boundKey.map { .session($0) }, at: system)
    }

    /// Returns a fresh access token. Where a contract's sign-out identifies the session by the access token alone, an
    /// expired token identifies none.
    private func freshToken(
        _ session: ClientSession, on keeper: isolated SessionKeeper
    ) async throws(ClientError) -> Secret<String> {
        guard let refreshToken = session.refreshToken else { return session.accessToken }
        return try await auth.perform(
            Refresh(refreshToken: refreshToken), within: Self.deadline,
            proof: session.boundKey.map { .session($0) }, at: system
        ).accessToken
    }

    private var namesSessionByAccessToken: Bool {
        auth.codec.endpoint(for: .signOut)?.takes?.contains { $0.field == .refreshToken } != true
    }
}

extension StoredSessions {
    /// `true` if a sign-out that the server has not confirmed is stored, or may be.
    var mayHoldPendingRevocations: Bool {
        switch self {
        case .found(let saved): !saved.pendingRevocations.isEmpty
        case .absent: false
        case .unavailable: true
        }
    }
}

extension ClientSession {
    /// Returns `true` if the server of `auth` issued the session's tokens. A token is sent to no other server.
    func belongs(to auth: RemoteAuth) -> Bool {
        contract == auth.contract.name && baseURL == auth.baseURL
    }
}

extension AuthError {
    /// `true` if the refusal says that the session has ended or does not exist.
    fileprivate var isAboutSession: Bool {
        switch self {
        case .invalidAccessToken, .sessionRevoked, .accountDisabled, .refreshTokenInvalid, .refreshTokenReused,
            .refreshTokenExpired, .refreshTokenRevoked, .dpopRequired:
            true
        default: false
        }
    }
}
