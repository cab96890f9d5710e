import Foundation
import OstiaryContracts
import OstiaryCore

extension SessionKeeper {
    // MARK: Beginning

    /// Begins the session of someone who has just signed in.
    ///
    /// Where one account is kept, the session before it ends; the server is told. Where several are, an earlier session of
    /// the same account does.
    ///
    /// - Parameter label: What they signed in as; used where the server did not tell.
    @discardableResult
    func adopt(_ signedIn: SignedIn, label: String) async -> SessionSnapshot {
        let enrolment = await gate?.enrolment()
        let now = surroundings.now()
        let session = ClientSession(
            id: .random(), contract: auth.contract.name, baseURL: auth.baseURL, accountID: signedIn.user?.id,
            label: signedIn.user?.label ?? label, user: signedIn.user, accessToken: signedIn.tokens.accessToken,
            refreshToken: signedIn.tokens.refreshToken, issuedAt: now,
            expiresAt: AccessTokenExpiry(signedIn.tokens, receivedAt: now)?.date, enrolment: enrolment)
        let former = held?.session
        let keepsOthers = settings.keepsSeveralAccounts
        // Of one who stays signed in, the answer is still wanted: the server has spent the token before it.
        if let former, !keepsOthers { flights.removeValue(forKey: former.id)?.cancel() }
        pacing.reset()
        // In this order: what opens the gate must find none but the new session behind it.
        hold(HeldSession(session, isVerified: true, at: surroundings))
        gate?.signedIn()
        republish()
        let result = await change(
            late: { keeper, ended in
                await keeper.seeOff(ended, for: session)
                await keeper.revokePending()
            }
        ) { saved -> [ClientSession] in
            // What is only in this process's memory has to be ended too.
            let known = saved.sessions + [former].compactMap { $0 }.filter { saved[$0.id] == nil }
            let ended = known.filter { !keepsOthers || $0.isSameAccount(as: session) }
            for other in ended { saved.signOut(other, at: now) }
            saved.use(session)
            return ended
        }
        switch result {
        case .success(let ended):
            await seeOff(ended, for: session)
            if !ended.isEmpty { revocations.beginRevoking(on: self) }
        case .failure: if let former, !keepsOthers { await seeOff([former], for: session) }
        }
        if signedIn.user == nil { Task { await verify() } }
        return SessionSnapshot(session)
    }

    /// What belonged to sessions that have given way goes with them, unless their person stays.
    private func seeOff(_ ended: [ClientSession], for session: ClientSession) async {
        for other in ended where !other.isSameAccount(as: session) { await companions.left(other) }
    }

    /// The name of this device, made up at the first time that somebody asks. Nil where it cannot be kept.
    func deviceID() async -> String? {
        let new = DeviceInfo.randomID()
        let result = await change { saved -> String in
            let id = saved.deviceID ?? new
            saved.deviceID = id
            return id
        }
        return try? result.get()
    }

    // MARK: Switching

    /// Uses another of the accounts that are signed in on this device.
    func switchSession(to id: ClientSession.ID) async throws(ClientError) {
        let saved: SavedSessions
        switch await read() {
        case .found(let found): saved = found
        case .absent: throw .notSignedIn
        case .unavailable(let problem): throw .store(problem)
        }
        guard let session = saved[id], session.belongs(to: auth) else { throw .notSignedIn }
        guard held?.session.id != id else { return }
        pacing.reset()
        turn(to: session)
        _ = await change { saved in if saved[id] != nil { saved.current = id } }
        Task { await verify() }
    }

    /// Uses another account's session. It is behind the gate, whoever opened that for the one before.
    func turn(to session: ClientSession) {
        gate?.close()
        hold(HeldSession(session, isVerified: false, at: surroundings))
        events.send(.accountSwitched)
    }

    /// Everybody who is signed in on this device.
    func savedSessions() async throws(ClientError) -> [SessionSnapshot] {
        switch await read() {
        case .found(let saved): return saved.sessions.filter { $0.belongs(to: auth) }.map(SessionSnapshot.init)
        case .absent: return []
        case .unavailable(let problem): throw .store(problem)
        }
    }

    // MARK: Locking

    /// Has the person show themselves, where a gate wants that.
    ///
    /// - Throws: ``ClientError/cancelledByUser`` or ``ClientError/locked`` where it stays closed;
    ///   ``ClientError/notSignedIn`` where it never opens again for this session, which has ended.
    func unlock(_ reason: String) async throws(ClientError) {
        if current.isUnknown, let asking = store as? any AskingStore {
            asking.askAgain()
            await resume()
            if current.isUnknown { throw .locked }
        }
        guard let gate else { return }
        await start()
        guard let session = held?.session else { throw signedOutError }
        switch await gate.unlock(reason, knowing: session.enrolment) {
        case .open(let enrolment):
            republish()
            await remember(enrolment, of: session.id)
            // What was due waited for this.
            Task { await resume() }
        case .closed(let problem): throw problem.error
        case .signInNeeded(let end):
            guard let session = held(session.id)?.session else { throw signedOutError }
            _ = try await signOut(session, because: .notRecognised(end))
            throw .notSignedIn
        }
    }

    /// Keeps whom the device knew when a session without a gate was opened first, or one of another version of the system.
    private func remember(_ enrolment: GateEnrolment?, of id: ClientSession.ID) async {
        guard let enrolment, var held = held(id),
            held.session.enrolment.map({ $0.system != enrolment.system }) ?? true
        else { return }
        held.update(enrolment: enrolment)
        hold(held)
        _ = await change { saved in saved[id]?.enrolment = enrolment }
    }

    // MARK: Ending

    /// Signs out here, at once, and then tells the server, briefly.
    ///
    /// - Returns: Whether the server has been told. If not, it will be.
    func signOut() async throws(ClientError) -> SignOutResult {
        await start()
        if held == nil, let problem = await lookForSession() { throw .store(problem) }
        guard let session = held?.session else { return .wasSignedOut }
        return try await signOut(session, because: .signedOut)
    }

    private func signOut(
        _ session: ClientSession, because reason: SignedOutReason
    ) async throws(ClientError) -> SignOutResult {
        flights.removeValue(forKey: session.id)?.cancel()
        forget(reason)
        events.send(.signOut(reason))
        let now = surroundings.now()
        let result = await change(late: { keeper, _ in await keeper.revokePending() }) {
            $0.signOut($0[session.id] ?? session, at: now)
        }
        await companions.left(session)
        if case .failure(let problem) = result {
            // The tokens in the store are good until the server hears of it.
            guard await revocations.revokeOnServer(session, on: self) else { throw .store(problem) }
            return .told
        }
        await revokePending()
        return await revocations.isRevoked(session.id, on: self) ? .told : .toldLater
    }

    /// Ends a session that the server no longer accepts: once, and with its reason.
    ///
    /// - Returns: The session as a sibling process has renewed it, which goes on; nil if it is over.
    func end(_ session: ClientSession, _ refusal: AuthError) async -> ClientSession? {
        let result = await change { saved -> ClientSession? in
            if let entry = saved[session.id], entry.accessToken != session.accessToken { return entry }
            saved.forget(session.id)
            return nil
        }
        guard let held = held(session.id) else { return nil }
        if held.session.accessToken != session.accessToken { return held.session }
        if case .success(let entry?) = result { return adopt(entry).session }
        await close(session, as: .ended(refusal))
        return nil
    }

    /// Ends a session of which the server need not be told.
    func end(_ id: ClientSession.ID, as reason: SignedOutReason) async {
        guard let session = held(id)?.session else { return }
        _ = await change { $0.forget(id) }
        guard held(id) != nil else { return }
        await close(session, as: reason)
    }

    /// The session in use is over, and the store knows.
    private func close(_ session: ClientSession, as reason: SignedOutReason) async {
        flights.removeValue(forKey: session.id)?.cancel()
        forget(reason)
        events.send(.signOut(reason))
        await companions.left(session)
    }
}

/// How far a sign-out got.
public enum SignOutResult: Hashable, Sendable {
    /// Nobody was signed in.
    case wasSignedOut
    /// The session is over, here and on the server.
    case told
    /// The session is over here. The server could not be told; it will be, as soon as it can be reached.
    case toldLater
}

extension SavedSessions {
    mutating func signOut(_ session: ClientSession, at now: Date) {
        forget(session.id)
        guard !untoldSignOuts.contains(where: { $0.session.id == session.id }) else { return }
        untoldSignOuts.append(UntoldSignOut(session: session, since: now))
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
