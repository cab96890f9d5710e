import OstiaryContracts
import OstiaryCore

extension SessionKeeper {
    /// A token that is good for a request, refreshed first where it must be.
    ///
    /// A fresh one costs no wait, and never a look at the store.
    nonisolated func token() async throws(ClientError) -> IssuedToken {
        if gate?.mayUse ?? true {
            if let token = published.freshToken(at: surroundings.uptime()) { return token }
            let token = try await dueToken()
            // It may have been closed meanwhile.
            if gate?.mayUse ?? true { return token }
        }
        await start()
        throw await lockedError
    }

    private func dueToken() async throws(ClientError) -> IssuedToken {
        await start()
        // A sibling process may have signed in.
        if held == nil, let problem = await lookForSession() { throw .store(problem) }
        guard let held else { throw signedOutError }
        let uptime = surroundings.uptime()
        switch held.freshness(at: uptime, lead: lead) {
        case .use: return held.token
        case .useAndRefresh:
            if held.session.refreshToken != nil { Task { await refresh(held.session) } }
            return held.token
        case .refresh:
            guard held.session.refreshToken != nil else {
                if held.isUsable(at: uptime) { return held.token }
                return try await siblingsToken(insteadOf: held.token, refusal: .invalidAccessToken)
            }
            do {
                return try await renewed(held)
            } catch {
                switch error {
                case .sessionEnded, .notSignedIn: throw error
                // Whatever it was may pass, and the token still works.
                default: break
                }
                guard let now = self.held(held.session.id), now.isUsable(at: surroundings.uptime()) else { throw error }
                return now.token
            }
        }
    }

    /// A token other than one that earned a 401: the current one if it is another, else a fresh one.
    ///
    /// - Parameter refusal: Why the server did not accept it, if the session ends over it.
    func replacement(for used: IssuedToken, refusal: AuthError) async throws(ClientError) -> IssuedToken {
        let token = try await next(after: used, refusal: refusal)
        guard gate?.mayUse ?? true else { throw lockedError }
        return token
    }

    private func next(after used: IssuedToken, refusal: AuthError) async throws(ClientError) -> IssuedToken {
        guard gate?.mayUse ?? true else { throw lockedError }
        guard let held = held(used.session) else { throw signedOutError }
        guard held.token.token == used.token else { return held.token }
        guard held.session.refreshToken != nil else {
            return try await siblingsToken(insteadOf: used, refusal: refusal)
        }
        // Those who join a refresh that is under way cost nothing.
        guard flights[used.session] != nil || pacing.takeReplacement(at: surroundings.uptime()) else {
            throw .unauthorized
        }
        return try await renewed(held)
    }

    /// Where tokens cannot be refreshed, another is there only if a sibling process has signed in. Else the session is over.
    private func siblingsToken(insteadOf used: IssuedToken, refusal: AuthError) async throws(ClientError) -> IssuedToken
    {
        let answer = await read()
        guard let held = held(used.session) else { throw signedOutError }
        if held.token.token != used.token { return held.token }
        if case .found(let saved) = answer, let other = saved.currentSession, other.belongs(to: auth),
            other.id == held.session.id || other.isSameAccount(as: held.session), other.accessToken != used.token
        {
            events.send(.adopted)
            hold(HeldSession(other, isVerified: false, at: surroundings))
            return IssuedToken(other)
        }
        if let other = await end(held.session, refusal) { return IssuedToken(other) }
        throw .sessionEnded(refusal)
    }

    private func renewed(_ held: HeldSession) async throws(ClientError) -> IssuedToken {
        let session = try await refresh(held.session).get()
        // Signed in again elsewhere, as the same person.
        guard session.id == held.session.id || session.isSameAccount(as: held.session) else { throw signedOutError }
        return IssuedToken(session)
    }

    /// The server has accepted a token: from then on its session is verified.
    nonisolated func accepted(_ token: IssuedToken) {
        guard case .signedIn(let session, verified: false) = state, session.id == token.session else { return }
        Task { await noteAcceptance(of: token.session) }
    }

    private func noteAcceptance(of id: ClientSession.ID) {
        guard var held = held(id), !held.isVerified else { return }
        held.isVerified = true
        hold(held)
    }

    /// Does at once what is overdue: after a time in the background, or without a network.
    func resume() async {
        await start()
        pacing.reset()
        if held == nil { await lookForSession() }
        if storage.hasPendingChanges { await storage.flush(on: self) }
        guard gate?.mayUse ?? true else { return }
        if let held, held.session.refreshToken != nil,
            held.freshness(at: surroundings.uptime(), lead: lead) != .use
        {
            await refresh(held.session)
        }
        if let held, !held.isVerified { await verify() }
        await revokePending()
    }

    // MARK: The server's view

    /// Asks the server who is signed in, and keeps what it says. Nothing but a definite refusal ends the session.
    func verify() async {
        guard let held, let token = try? await token(), token.session == held.session.id else { return }
        _ = try? await refreshUser(token)
    }

    func refreshUser() async throws(ClientError) -> User { try await refreshUser(token()) }

    @discardableResult
    private func refreshUser(_ token: IssuedToken) async throws(ClientError) -> User {
        let user: User
        do {
            user = try await currentUser(token)
        } catch .refused(let refusal) where refusal.isAboutAccessToken {
            user = try await currentUser(replacement(for: token, refusal: refusal))
        }
        await keep(user, of: token.session)
        return user
    }

    private func currentUser(_ token: IssuedToken) async throws(ClientError) -> User {
        try await perform(CurrentUser(accessToken: token.token), as: token)
    }

    /// Does an operation that shows a token, signed where requests are.
    nonisolated func perform<Operation: WireOperation>(
        _ operation: Operation, as token: IssuedToken
    ) async throws(ClientError) -> Operation.Answer {
        guard let signing else { return try await auth.perform(operation, at: surroundings) }
        let request: WireRequest
        do { request = try auth.codec.write(operation) } catch { throw .unsupported(Operation.kind) }
        let answer = try await signing.send(request, as: token) { [auth] request throws(ClientError) in
            do throws(TransportError) { return try await auth.send(request) } catch { throw ClientError(error) }
        }
        do throws(AuthError) { return try auth.codec.read(answer, to: Operation.self) } catch {
            throw ClientError(error, at: surroundings)
        }
    }

    /// Keeps the key that a server gave a session.
    func keep(_ key: RequestSigningKey, of id: ClientSession.ID) async {
        guard var held = held(id) else { return }
        held.update(signingKey: key)
        hold(held)
        _ = await change { saved in saved[id]?.signingKey = key }
    }

    /// Keeps who the server says is signed in; from then on the session is verified.
    func keep(_ user: User, of id: ClientSession.ID) async {
        guard var held = held(id) else { return }
        let isNew = held.session.user != user
        held.isVerified = true
        held.update(user: user)
        hold(held)
        guard isNew else { return }
        _ = await change { saved in saved[id]?.user = user }
    }
}

extension AuthError {
    /// Whether another access token may help.
    var isAboutAccessToken: Bool {
        switch self {
        case .invalidAccessToken, .sessionRevoked, .accountDisabled: true
        default: false
        }
    }
}
