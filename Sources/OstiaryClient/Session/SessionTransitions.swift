import Foundation
import OstiaryContracts
import OstiaryCore

/// The transitions of sessions: begin, replacement by another, end.
///
/// Memory changes first and synchronously; the store follows in the same order. Owned by one ``SessionKeeper`` and used
/// in its isolation only.
struct SessionTransitions {
    private let auth: RemoteAuth
    private let appLock: AppLock?
    private let system: ClientDependencies
    private let events: Broadcast<ClientEvent>
    private let observers: SessionLifecycleObservers
    private let keepsSeveralAccounts: Bool
    private let current: CurrentSession
    private let storage: SessionStorage
    private let revocations: PendingRevocations
    private let tasks: TokenTasks
    private let pacing: RefreshPacing
    private let signing: SigningState?

    init(
        auth: RemoteAuth, appLock: AppLock?, system: ClientDependencies, events: Broadcast<ClientEvent>,
        observers: SessionLifecycleObservers, keepsSeveralAccounts: Bool, current: CurrentSession,
        storage: SessionStorage, revocations: PendingRevocations, tasks: TokenTasks, pacing: RefreshPacing,
        signing: SigningState?
    ) {
        self.auth = auth
        self.appLock = appLock
        self.system = system
        self.events = events
        self.observers = observers
        self.keepsSeveralAccounts = keepsSeveralAccounts
        self.current = current
        self.storage = storage
        self.revocations = revocations
        self.tasks = tasks
        self.pacing = pacing
        self.signing = signing
    }

    // MARK: Beginning

    /// Begins the session of a person who has just signed in.
    ///
    /// If one account is kept, every session before it ends and is revoked on the server. If several are kept, only an
    /// earlier session of the same account is.
    ///
    /// - Parameter label: The identifier they signed in with; used if the server did not return one.
    func begin(
        _ signedIn: SignedIn, label: String, on keeper: isolated SessionKeeper
    ) async -> SessionSnapshot {
        let enrolment = await appLock?.enrolment()
        let now = system.now()
        let session = ClientSession(
            id: .random(), contract: auth.contract.name, baseURL: auth.baseURL, accountID: signedIn.user?.id,
            label: signedIn.user?.label ?? label, user: signedIn.user, accessToken: signedIn.tokens.accessToken,
            refreshToken: signedIn.tokens.refreshToken, issuedAt: now,
            expiresAt: AccessTokenExpiry(signedIn.tokens, receivedAt: now)?.date,
            boundKey: auth.proofs?.takeKey(of: signedIn.tokens), enrolment: enrolment)
        let former = current.held?.session
        let keepsOthers = keepsSeveralAccounts
        let forms = former.map { storage.forms(of: $0) } ?? []
        // For an account that stays signed in the response is still needed: the server has rotated the refresh token by
        // then.
        if let former, !keepsOthers { tasks.cancelRefresh(of: former.id) }
        pacing.reset()
        // The order matters: at the moment of unlocking, the new session must be the only one in use.
        current.set(HeldSession(session, isVerified: true, isReceived: true, at: system), on: keeper)
        appLock?.signedIn()
        current.republish()
        let result = await storage.change(
            late: { keeper, ended in
                await keeper.notifyRemoved(ended, for: session)
                await keeper.revokePending()
            }, on: keeper
        ) { saved -> [ClientSession] in
            // Under its own identifier, which says whose it is.
            saved.restore(former, over: forms)
            // Sessions that exist only in this process's memory must end too.
            let known = saved.sessions + [former].compactMap { $0 }.filter { saved[$0.id] == nil }
            // The session itself is known already if the store was damaged.
            let ended = known.filter { $0.id != session.id && (!keepsOthers || $0.isSameAccount(as: session)) }
            for other in ended { saved.signOut(other, at: now) }
            saved.use(session)
            return ended
        }
        switch result {
        case .success(let ended):
            await notifyRemoved(ended, for: session, on: keeper)
            if !ended.isEmpty { revocations.beginRevoking(on: keeper) }
        case .failure:
            if let former, !keepsOthers { await notifyRemoved([former], for: session, on: keeper) }
        }
        return SessionSnapshot(session)
    }

    /// Forgets the keys of replaced sessions, and notifies the observers of those whose account does not stay signed in.
    func notifyRemoved(
        _ ended: [ClientSession], for session: ClientSession, on keeper: isolated SessionKeeper
    ) async {
        for other in ended {
            await signing?.forget(other.id)
            if !other.isSameAccount(as: session) { await observers.removed(other) }
        }
    }

    private func removed(_ session: ClientSession, on keeper: isolated SessionKeeper) async {
        await signing?.forget(session.id)
        await observers.removed(session)
    }

    // MARK: Switching

    /// Switches to another account's session. It starts locked if there is an app lock, even if the previous one was
    /// unlocked.
    func switchCurrent(to session: ClientSession, on keeper: isolated SessionKeeper) {
        appLock?.close()
        current.set(HeldSession(session, isVerified: false, isReceived: false, at: system), on: keeper)
        events.send(.accountSwitched)
    }

    /// Adopts the tokens that a sibling process has stored.
    @discardableResult
    func adoptTokens(_ entry: ClientSession, on keeper: isolated SessionKeeper) -> HeldSession {
        let sibling = HeldSession(
            entry, isVerified: current.held?.isVerified ?? false, isReceived: false, at: system)
        events.send(.adopted)
        current.set(sibling, on: keeper)
        return sibling
    }

    /// Follows a sibling process that has removed the session, by a sign-out or by another sign-in.
    func followSibling(
        _ saved: SavedSessions, from session: ClientSession, on keeper: isolated SessionKeeper
    ) async -> Result<ClientSession, ClientError> {
        if let other = saved.currentSession, other.belongs(to: auth) {
            if other.accountID == session.accountID, other.accountID != nil {
                let adopted = adoptTokens(other, on: keeper).session
                if adopted.id != session.id { await signing?.forget(session.id) }
                return .success(adopted)
            }
            switchCurrent(to: other, on: keeper)
            await removed(session, on: keeper)
            return .failure(.notSignedIn)
        }
        await sessionRemovedElsewhere(session, on: keeper)
        return .failure(.notSignedIn)
    }

    // MARK: Ending

    /// Signs out locally at once, and then revokes the session on the server within a short time limit.
    ///
    /// - Throws: ``ClientError/store(_:)`` if neither the store nor the server has accepted the sign-out.
    func signOut(
        _ session: ClientSession, because reason: SignedOutReason, on keeper: isolated SessionKeeper
    ) async throws(ClientError) -> SignOutResult {
        let forms = storage.forms(of: session)
        tasks.cancelRefresh(of: session.id)
        current.clear(reason)
        events.send(.signOut(reason))
        let now = system.now()
        let result = await storage.change(late: { keeper, _ in await keeper.revokePending() }, on: keeper) {
            $0.signOut(session, knownAs: forms, at: now)
        }
        await removed(session, on: keeper)
        if case .failure(let problem) = result {
            // The tokens in the store stay valid until the server revokes them.
            guard await revocations.revokeOnServer(session, on: keeper) else { throw .store(problem) }
            return .revoked
        }
        await revocations.revoke(on: keeper)
        return await revocations.isRevoked(session.id, on: keeper) ? .revoked : .revocationPending
    }

    /// Ends a session that the server no longer accepts, exactly once and with the server's reason.
    ///
    /// - Returns: The session as a sibling process has renewed it, which continues; `nil` if it has ended.
    func end(
        _ session: ClientSession, _ refusal: AuthError, on keeper: isolated SessionKeeper
    ) async -> ClientSession? {
        let forms = storage.forms(of: session)
        let result = await storage.change(on: keeper) { saved -> ClientSession? in
            saved.restore(session, over: forms)
            if let entry = saved[session.id], entry.accessToken != session.accessToken { return entry }
            saved.forget(session.id)
            return nil
        }
        guard let held = current.held(session.id) else { return nil }
        if held.session.accessToken != session.accessToken { return held.session }
        if case .success(let entry?) = result { return adoptTokens(entry, on: keeper).session }
        await close(session, as: .ended(refusal), on: keeper)
        return nil
    }

    /// Ends a session that needs no revocation on the server.
    func end(_ id: ClientSession.ID, as reason: SignedOutReason, on keeper: isolated SessionKeeper) async {
        guard let session = current.held(id)?.session else { return }
        let forms = storage.forms(of: session)
        _ = await storage.change(on: keeper) { saved in
            saved.restore(session, over: forms)
            saved.forget(id)
        }
        guard current.held(id) != nil else { return }
        await close(session, as: reason, on: keeper)
    }

    /// Ends the session in use in memory, after the store has removed it.
    private func close(
        _ session: ClientSession, as reason: SignedOutReason, on keeper: isolated SessionKeeper
    ) async {
        tasks.cancelRefresh(of: session.id)
        current.clear(reason)
        events.send(.signOut(reason))
        await removed(session, on: keeper)
    }

    /// Ends a session that another process has signed out.
    func sessionRemovedElsewhere(_ session: ClientSession, on keeper: isolated SessionKeeper) async {
        current.clear(.elsewhere)
        events.send(.signOut(.elsewhere))
        await removed(session, on: keeper)
    }
}

extension SavedSessions {
    /// Removes a session, and adds its revocation.
    ///
    /// - Parameter forms: The session in the forms in which a damaged store may still hold it.
    mutating func signOut(_ session: ClientSession, knownAs forms: [ClientSession] = [], at now: Date) {
        restore(session, over: forms)
        let last = self[session.id] ?? session
        // A sibling process may have stored the session under its own identifier again, after this one found it by its tokens.
        if session.id.isDerived {
            for other in sessions where other.sharesToken(with: last) { forget(other.id) }
        }
        forget(session.id)
        guard !pendingRevocations.contains(where: { $0.session.id == session.id }) else { return }
        pendingRevocations.append(PendingRevocation(session: last, since: now))
    }
}

extension ClientSession {
    func isSameAccount(as other: ClientSession) -> Bool {
        contract == other.contract && baseURL == other.baseURL && accountID != nil && accountID == other.accountID
    }
}

extension ClientSession.ID {
    static func random() -> Self { Self(rawValue: UUID().uuidString.lowercased()) }
}

extension User {
    var label: String? { username?.text ?? email?.text ?? phoneNumber?.e164 }
}
