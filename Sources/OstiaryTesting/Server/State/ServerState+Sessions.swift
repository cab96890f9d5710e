import Foundation
import OstiaryCore

extension ServerState {
    // MARK: Opening

    mutating func signIn(_ call: SignIn, at now: Date) throws(AuthError) -> SignedIn {
        guard let account = account(call.identifier), account.isActive, let password = account.password,
            Self.matches(call.password, password)
        else { throw .wrongCredentials }
        if let challenge = account.challenge { throw challenged(account, by: challenge, call, at: now) }
        return openSession(of: account, rememberMe: call.rememberMe, device: call.device, at: now)
    }

    mutating func openSession(
        of account: ServerAccount, rememberMe: Bool, device: DeviceInfo?, id: SessionID? = nil, at now: Date
    ) -> SignedIn {
        var idleSeconds = accessTokenSeconds
        var endsAt = now + TimeInterval(accessTokenSeconds)
        if let refresh = identifiers.refresh {
            idleSeconds = rememberMe ? refresh.seconds : refresh.shortSeconds ?? refresh.seconds
            endsAt = now + TimeInterval(rules.sessionSeconds)
        }
        lastSessionNumber += 1
        var session = ServerSession(
            id: id ?? newSessionID(), number: lastSessionNumber, account: account.user.id, createdAt: now,
            lastUsedAt: now, idleSeconds: idleSeconds, idleEndsAt: min(now + TimeInterval(idleSeconds), endsAt),
            endsAt: endsAt, device: device)
        keepRefreshToken(of: &session, at: now)
        sessions[session.id] = session
        return SignedIn(tokens: tokens(of: session, at: now), user: account.user)
    }

    mutating func newSessionID() -> SessionID {
        while true { if let id = try? SessionID(random.uuid()) { return id } }
    }

    /// A fresh access token, and the one refresh token there is.
    private mutating func tokens(of session: ServerSession, at now: Date) -> Tokens {
        let expiresAt = min(now + TimeInterval(accessTokenSeconds), session.endsAt)
        let token = webToken(of: session, until: expiresAt, at: now)
        accessTokens[token] = AccessGrant(session: session.id, generation: session.generation, expiresAt: expiresAt)
        return Tokens(
            accessToken: Secret(token), expiresIn: .seconds(Int(expiresAt.timeIntervalSince(now).rounded())),
            refreshToken: identifiers.refresh == nil ? nil : session.refreshTokens.last)
    }

    private mutating func keepRefreshToken(of session: inout ServerSession, at now: Date) {
        guard let refresh = identifiers.refresh else { return }
        let token = refresh.form == .jwt ? webToken(of: session, until: session.idleEndsAt, at: now) : random.token()
        session.refreshTokens.append(Secret(token))
        refreshTokens[token] = RefreshGrant(session: session.id, generation: session.generation)
    }

    /// A JSON Web Token in form: clients read its times. Its signature is made up, and nobody can check it.
    private mutating func webToken(of session: ServerSession, until expiresAt: Date, at now: Date) -> String {
        let claims = #"{"sub":"\#(session.account)","iat":\#(now.webTime),"exp":\#(expiresAt.webTime)}"#
        return [Data(#"{"alg":"none","typ":"JWT"}"#.utf8), Data(claims.utf8)].map(\.base64URL).joined(separator: ".")
            + "." + random.token()
    }

    // MARK: Using

    /// Whose access token this is.
    mutating func bearer(
        _ token: Secret<String>, at now: Date
    ) throws(AuthError) -> (account: ServerAccount, session: ServerSession) {
        guard let grant = accessTokens[token.reveal()], now < grant.expiresAt, let session = sessions[grant.session],
            let account = accounts[session.account]
        else { throw .invalidAccessToken }
        // First, because disabling an account ends its sessions.
        guard account.isActive else { throw .accountDisabled }
        guard session.end == nil else { throw .sessionRevoked }
        guard session.isAlive(at: now) else { throw .invalidAccessToken }
        if grant.generation == session.generation, session.currentFirstUsedAt == nil {
            sessions[session.id]?.currentFirstUsedAt = now
        }
        return (account, session)
    }

    // MARK: Refreshing

    mutating func refresh(_ call: Refresh, at now: Date) throws(AuthError) -> Tokens {
        guard let grant = refreshTokens[call.refreshToken.reveal()], var session = sessions[grant.session],
            let account = accounts[session.account]
        else { throw .refreshTokenInvalid }
        guard account.isActive else { throw .accountDisabled }
        guard session.isAlive(at: now) else {
            switch session.end {
            case nil: throw .refreshTokenExpired
            case .reuse: throw .refreshTokenReused
            case .otherwise: throw .refreshTokenRevoked
            }
        }
        guard grant.generation >= session.oldestGeneration else { throw .refreshTokenRevoked }
        guard grant.generation == session.generation else {
            guard isAnsweredAgain(grant.generation, in: session, at: now) else {
                endReused(session, of: account, at: now)
                throw .refreshTokenReused
            }
            return tokens(of: session, at: now)
        }
        return rotate(&session, at: now)
    }

    private mutating func rotate(_ session: inout ServerSession, at now: Date) -> Tokens {
        // Presenting a token is a use of it; the first one counts.
        session.firstUses[session.generation] = session.currentFirstUsedAt ?? now
        session.currentFirstUsedAt = nil
        session.generation += 1
        session.lastUsedAt = now
        session.idleEndsAt = min(now + TimeInterval(session.idleSeconds), session.endsAt)
        keepRefreshToken(of: &session, at: now)
        sessions[session.id] = session
        return tokens(of: session, at: now)
    }

    /// After a change of password: no refresh token from before is answered again.
    ///
    /// - Returns: What the session goes on with; nil where the contract's answer has no place for it.
    mutating func withdrawRefreshTokens(of id: SessionID, at now: Date) -> Tokens? {
        guard var session = sessions[id] else { return nil }
        let tokens = renewsTokens ? rotate(&session, at: now) : nil
        sessions[id]?.oldestGeneration = session.generation
        return tokens
    }

    // MARK: Signing

    /// Once for an access token alone, later for the current refresh token.
    mutating func issueSigningKey(
        _ call: IssueSigningKey, at now: Date
    ) throws(AuthError) -> RequestSigningKey {
        guard rules.issuesSigningKeys else { throw .notFound }
        let session = try bearer(call.accessToken, at: now).session
        guard let key = session.signingKey else {
            let key = RequestSigningKey(id: random.token(), secret: Secret(Array(random.token().utf8)))
            sessions[session.id]?.signingKey = key
            return key
        }
        guard let grant = call.refreshToken.flatMap({ refreshTokens[$0.reveal()] }), grant.session == session.id,
            grant.generation == session.generation
        else { throw .signingKeyAlreadyIssued }
        return key
    }

    /// Until some seconds after its successor's first use, since only then its owner surely has the successor.
    private func isAnsweredAgain(_ generation: Int, in session: ServerSession, at now: Date) -> Bool {
        if rules.isStrict { return false }
        let successor = generation + 1
        let firstUse =
            successor == session.generation ? session.currentFirstUsedAt : session.firstUses[successor] ?? .distantPast
        guard let firstUse else { return true }
        return now.timeIntervalSince(firstUse) < TimeInterval(rules.replaySeconds)
    }

    // MARK: Ending

    mutating func end(_ id: SessionID, _ end: ServerSession.End = .otherwise) {
        if sessions[id]?.end == nil { sessions[id]?.end = end }
    }

    /// Ends a session of which somebody else has a refresh token, and tells its owner.
    private mutating func endReused(_ session: ServerSession, of account: ServerAccount, at now: Date) {
        end(session.id, .reuse)
        if let email = account.user.email {
            messages.append(TestMessage(to: .email(email), .refreshTokenReused, at: now))
        } else if let number = account.user.phoneNumber {
            messages.append(TestMessage(to: .phoneNumber(number), .refreshTokenReused, at: now))
        }
    }

    mutating func endSessions(of account: AccountID, keeping kept: SessionID? = nil) {
        for session in sessions.values where session.account == account && session.id != kept { end(session.id) }
    }

    mutating func signOut(_ call: SignOut, at now: Date) -> Done {
        var ended: ServerSession?
        if let session = session(call.accessToken, at: now) {
            ended = session
            end(session.id)
        }
        // An earlier refresh token ends the session too: its owner may have missed the rotation.
        if let token = call.refreshToken, let grant = refreshTokens[token.reveal()],
            let session = sessions[grant.session]
        {
            ended = ended ?? session
            end(session.id)
        }
        if let owner = ended?.account, let other = session(call.alsoEnding, at: now), other.account == owner {
            end(other.id)
        }
        return Done()
    }

    private func session(_ accessToken: Secret<String>?, at now: Date) -> ServerSession? {
        guard let token = accessToken, let grant = accessTokens[token.reveal()], now < grant.expiresAt else {
            return nil
        }
        return sessions[grant.session]
    }

    // MARK: The list

    mutating func listSessions(_ call: ListSessions, at now: Date) throws(AuthError) -> [SessionSummary] {
        let (account, current) = try bearer(call.accessToken, at: now)
        return sessions.values
            .filter { $0.account == account.user.id && $0.isAlive(at: now) }
            .sorted { ($0.lastUsedAt, $0.number) > ($1.lastUsedAt, $1.number) }
            .map { session in
                SessionSummary(
                    id: session.id, createdAt: session.createdAt, lastUsedAt: session.lastUsedAt,
                    isCurrent: session.id == current.id, device: session.device)
            }
    }

    mutating func endSession(_ call: EndSession, at now: Date) throws(AuthError) -> Done {
        let account = try bearer(call.accessToken, at: now).account
        // Another person's session is one that does not exist.
        guard let session = sessions[call.sessionID], session.account == account.user.id else { throw .notFound }
        end(session.id)
        return Done()
    }
}

extension Date {
    /// Source: RFC 7519 §2, NumericDate.
    fileprivate var webTime: Int { Int(timeIntervalSince1970) }
}
