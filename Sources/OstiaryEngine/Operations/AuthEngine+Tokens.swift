import Foundation
import OstiaryCore

/// A session that was opened.
struct OpenedSession {
    var outcome: Outcome<SignedIn>
    /// `true` if the recovery codes of the factor that the sign-in added are the account's now.
    var storedRecoveryCodes = false
}

extension AuthEngine {
    /// - Parameter proof: The proof of the key that the session is bound to; `nil` for none.
    /// - Returns: `nil` if another sign-in has used the secret of the remembered device. No session was opened then.
    func openSession(_ authentication: Authentication, boundBy proof: VerifiedProof?) async throws -> OpenedSession? {
        // As the store keeps it, so that a repeated refresh token has the same bytes.
        let now = ports.system.now().asStored
        let account = authentication.account
        let session = Session(
            id: try authentication.session ?? newSessionID(), app: app.name, accountID: account.id,
            createdAt: now, idleSeconds: idleSeconds(remembered: authentication.rememberMe),
            endsAt: now.addingTimeInterval(
                Double(app.rules.refresh == nil ? app.rules.accessTokenSeconds : app.sessions.absoluteSeconds)),
            device: authentication.device, address: caller.address, userAgent: caller.userAgent,
            authentication: authentication.context, boundKey: proof?.thumbprint)
        let state = SessionState(session: session, account: account)
        // Made before the session is added: without tokens there is none.
        let tokens = try await tokens(for: state, at: now, with: furtherClaims(of: state, at: now))
        var storedRecoveryCodes = false
        var deviceToken: Secret<String>?
        // Since the check of the password the account may have been disabled, or the password changed.
        if var enrolment = authentication.enrolment {
            if let proof { try await spend(proof) }
            enrolment.opening = SessionToOpen(session: session, attachment: authentication.attachment)
            storedRecoveryCodes = try await store(enrolment, overtakenBy: authentication.ifOvertaken)
            // The client has no token of the session yet if this write fails.
            try await bindAppKey(to: session.id)
        } else {
            var opening = SessionOpening(
                session: session, credentialVersion: account.credentialVersion, attachment: authentication.attachment,
                keeping: app.sessions.maximum, proof: proof.map { usedRecord(of: $0) }, appKey: appKey)
            if let device = authentication.rememberedDevice {
                // With the session: a client whose sign-in fails presents the same secret again.
                let next = renewal(of: device, describedAs: authentication.device)
                opening.renewal = next.renewal
                deviceToken = next.token
            }
            do {
                let isOpened = try await spending { try await ports.store.open(opening) }
                guard isOpened else { throw authentication.ifOvertaken }
            } catch StoreRefusal.overtaken {
                return nil
            }
        }
        // Read after the session was added: a second use of its code either finds the session or is found here.
        if authentication.session != nil, try await isWithdrawn(session.id) {
            try await end(session.id, .replayed)
            throw Refused(authentication.ifOvertaken, account: account.id, session: session.id)
        }
        if deviceToken == nil, authentication.recognizesDevice {
            var authentication = authentication
            // The session's own commit has incremented it.
            if authentication.enrolment?.replacesFactors == true { authentication.account.credentialVersion += 1 }
            deviceToken = await recognizeDevice(of: authentication)
        }
        return OpenedSession(
            outcome: Outcome(
                SignedIn(tokens: tokens, user: app.user(of: account), deviceToken: deviceToken),
                account: account.id, session: session.id, attribution: authentication.attribution),
            storedRecoveryCodes: storedRecoveryCodes)
    }

    func newSessionID() throws -> SessionID { try SessionID(ports.system.randomSessionID()) }

    private func idleSeconds(remembered: Bool) -> Int {
        guard let refresh = app.rules.refresh else { return app.rules.accessTokenSeconds }
        let seconds = remembered ? refresh.seconds : refresh.shortSeconds ?? refresh.seconds
        return min(seconds, app.sessions.idleSeconds ?? seconds)
    }

    /// Returns the tokens of a session's current generation: a fresh access token, and the one refresh token there is.
    ///
    /// - Parameters:
    ///   - now: The beginning of the access token's life; for a new session, the time of its creation.
    ///   - claims: The further claims, of ``furtherClaims(of:at:)``.
    func tokens(for state: SessionState, at now: Date, with claims: TokenClaims) async throws -> Tokens {
        let session = state.session
        var request = grant(for: state, at: now)
        request.furtherClaims = claims
        let accessToken = try await ports.accessTokens.issue(request)
        let expiresAt = request.expiresAt
        // A session in which an administrator acts is not extended.
        let refreshes = session.actor == nil ? app.rules.refresh : nil
        let refreshToken = try refreshes.map { _ in
            try ports.refreshTokens.write(
                RefreshTokenClaims(
                    session: session.id, generation: session.generation, account: state.account.id,
                    issuedAt: session.generationIssuedAt, expiresAt: session.idleEndsAt, boundKey: session.boundKey))
        }
        let seconds = Int(expiresAt.timeIntervalSince(now).rounded())
        return Tokens(
            accessToken: accessToken, expiresIn: .seconds(seconds), refreshToken: refreshToken,
            isBound: session.boundKey != nil)
    }

    /// Returns the access token of a session that is not refreshed: both end at the same time.
    func onlyAccessToken(
        of state: SessionState, at now: Date, with claims: TokenClaims
    ) async throws -> Secret<String> {
        var request = grant(for: state, at: now)
        request.expiresAt = state.session.endsAt
        request.furtherClaims = claims
        return try await ports.accessTokens.issue(request)
    }

    /// Returns the further claims of the session's next access token, which a hook answers.
    ///
    /// Asked before anything changes that the client needs the token for: a client whose answer is 503 repeats its request
    /// with what it has.
    ///
    /// - Throws: ``HookFailure``.
    func furtherClaims(of state: SessionState, at now: Date) async throws -> TokenClaims {
        guard ports.hooks.tokenClaims != nil else { return .none }
        return try await furtherClaims(for: grant(for: state, at: now), of: state.account)
    }

    private func grant(for state: SessionState, at now: Date) -> AccessTokenRequest {
        let account = state.account
        var grant = AccessTokenRequest(
            subject: tokenSubject(of: account), session: state.session.id, generation: state.session.generation,
            issuedAt: now,
            expiresAt: min(now.addingTimeInterval(Double(app.rules.accessTokenSeconds)), state.session.endsAt))
        if app.rules.claims.includesProfile {
            grant.authProvider = account.provider
            if account.provider != "local" {
                grant.email = account.email?.text
                grant.name = account.fullName?.text
            }
        }
        grant.actor = state.session.actor
        grant.boundKey = state.session.boundKey
        if app.secondFactor.requirement != .off, state.session.actor == nil {
            grant.authentication = authentication(of: state.session, account)
        }
        return grant
    }

    /// Returns the `sub` of the account's access tokens.
    func tokenSubject(of account: Account) -> String {
        guard app.rules.claims.subject == .username else { return account.id.text }
        let subject = account.providerSubject.map { Account.tokenSubject($0, kind: account.provider) }
        return subject ?? account.username?.verbatim ?? account.id.text
    }
}
