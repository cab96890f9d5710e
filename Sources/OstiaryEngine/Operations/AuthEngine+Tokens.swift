import Foundation
import OstiaryCore

/// A session that was opened.
struct OpenedSession {
    var outcome: Outcome<SignedIn>
    /// `true` if the recovery codes of the factor that the sign-in added are the account's now.
    var storedRecoveryCodes = false
}

extension AuthEngine {
    func openSession(_ authentication: Authentication) async throws -> OpenedSession {
        // As the store keeps it, so that a repeated refresh token has the same bytes.
        let now = ports.system.now().asStored
        let account = authentication.account
        let session = Session(
            id: try authentication.session ?? newSessionID(), app: app.name, accountID: account.id,
            createdAt: now, idleSeconds: idleSeconds(remembered: authentication.rememberMe),
            endsAt: now.addingTimeInterval(
                Double(app.rules.refresh == nil ? app.rules.accessTokenSeconds : app.sessionSeconds)),
            device: authentication.device, address: caller.address, userAgent: caller.userAgent,
            authentication: authentication.context)
        var storedRecoveryCodes = false
        // Since the check of the password the account may have been disabled, or the password changed.
        if var enrolment = authentication.enrolment {
            enrolment.opening = SessionToOpen(session: session, attachment: authentication.attachment)
            storedRecoveryCodes = try await store(enrolment, overtakenBy: authentication.ifOvertaken)
        } else {
            guard
                try await ports.store.add(
                    session, credentialVersion: account.credentialVersion, attachment: authentication.attachment)
            else { throw authentication.ifOvertaken }
        }
        // Read after the session was added: a second use of its code either finds the session or is found here.
        if authentication.session != nil, try await isWithdrawn(session.id) {
            try await end(session.id, .replayed)
            throw Refused(authentication.ifOvertaken, account: account.id, session: session.id)
        }
        let tokens = try await tokens(for: SessionState(session: session, account: account), at: now)
        return OpenedSession(
            outcome: Outcome(
                SignedIn(tokens: tokens, user: account.user, deviceToken: authentication.deviceToken),
                account: account.id, session: session.id, attribution: authentication.attribution),
            storedRecoveryCodes: storedRecoveryCodes)
    }

    func newSessionID() throws -> SessionID { try SessionID(ports.system.randomSessionID()) }

    private func idleSeconds(remembered: Bool) -> Int {
        guard let refresh = app.rules.refresh else { return app.rules.accessTokenSeconds }
        return remembered ? refresh.seconds : refresh.shortSeconds ?? refresh.seconds
    }

    /// Returns the tokens of a session's current generation: a fresh access token, and the one refresh token there is.
    ///
    /// - Parameter now: The beginning of the access token's life; for a new session, the time of its creation.
    func tokens(for state: SessionState, at now: Date) async throws -> Tokens {
        let session = state.session
        let expiresAt = min(now.addingTimeInterval(Double(app.rules.accessTokenSeconds)), session.endsAt)
        let accessToken = try await accessToken(for: state, issuedAt: now, expiresAt: expiresAt)
        // A session in which an administrator acts is not extended.
        let refreshes = session.actor == nil ? app.rules.refresh : nil
        let refreshToken = try refreshes.map { _ in
            try ports.refreshTokens.write(
                RefreshTokenClaims(
                    session: session.id, generation: session.generation, account: state.account.id,
                    issuedAt: session.generationIssuedAt, expiresAt: session.idleEndsAt))
        }
        let seconds = Int(expiresAt.timeIntervalSince(now).rounded())
        return Tokens(accessToken: accessToken, expiresIn: .seconds(seconds), refreshToken: refreshToken)
    }

    func accessToken(
        for state: SessionState, issuedAt: Date, expiresAt: Date
    ) async throws -> Secret<String> {
        try await ports.accessTokens.issue(grant(for: state, issuedAt: issuedAt, expiresAt: expiresAt))
    }

    private func grant(for state: SessionState, issuedAt: Date, expiresAt: Date) -> AccessTokenRequest {
        let account = state.account
        var grant = AccessTokenRequest(
            subject: tokenSubject(of: account), session: state.session.id, generation: state.session.generation,
            issuedAt: issuedAt, expiresAt: expiresAt)
        if app.rules.claims.includesProfile {
            grant.authProvider = account.provider
            if account.provider != "local" {
                grant.email = account.email?.text
                grant.name = account.fullName?.text
            }
        }
        grant.actor = state.session.actor
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
