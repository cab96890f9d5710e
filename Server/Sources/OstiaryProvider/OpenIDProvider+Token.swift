import Foundation
import OstiaryCore
package import OstiaryEngine
import OstiaryTokens

extension OpenIDProvider {
    /// Exchanges an authorization code or a refresh token.
    ///
    /// - Parameters:
    ///   - parameters: The decoded parameters, each name once.
    ///   - authorization: The value of the header `Authorization`.
    package func token(
        _ parameters: [String: String], authorization: String?, from caller: Caller
    ) async throws(OAuthError) -> TokenAnswer {
        let given = parameters.filter { !$0.value.isEmpty }
        let (client, caller) = try countedClient(given, authorization: authorization, from: caller)
        do {
            switch given["grant_type"] {
            case "authorization_code": return try await redeem(given, client, from: caller)
            case "refresh_token": return try await refresh(given, client, from: caller)
            case nil: throw OAuthError.invalidRequest("The grant_type is missing.")
            default: throw OAuthError.unsupportedGrantType
            }
        } catch {
            throw refusal(for: error)
        }
    }

    /// Redeems an authorization code. Source: RFC 6749 §4.1.3, RFC 7636 §4.6, RFC 9700 §2.1.1.
    private func redeem(
        _ given: [String: String], _ client: ProviderClient, from caller: Caller
    ) async throws -> TokenAnswer {
        guard let text = given["code"], let redirectURI = given["redirect_uri"] else {
            throw OAuthError.invalidRequest("code and redirect_uri are needed.")
        }
        let engine = client.isConsole ? console : grants
        // Before the code is looked up: a client repeats its request with another nonce.
        let key = try engine.serving(caller).provenKey()
        let hash = hash(code: text)
        let now = ports.system.now()
        guard let record = try await ports.store.singleUseRecord(.authorizationCode, hash, in: app, at: now) else {
            return try await refuseReplay(of: hash, at: now)
        }
        let code = try JSONDecoder().decode(AuthorizationCode.self, from: Data(record.payload))
        guard code.client.utf8.elementsEqual(client.id.utf8), code.redirectURI.utf8.elementsEqual(redirectURI.utf8),
            Self.isProven(code, by: given["code_verifier"]), code.isBound(to: key),
            let state = try await liveSession(of: code, at: now)
        else {
            // A client without the right proof holds a code that is not its own: the code is invalid from now on.
            _ = try await ports.store.spend(.authorizationCode, hash, in: app, at: now, for: nil, keeping: nil)
            throw OAuthError.invalidGrant
        }
        let session = try newSessionID()
        let grant = Grant(
            client: client.id, scopes: code.scopes, authenticatedAt: code.authenticatedAt, acr: code.acr, amr: code.amr,
            session: code.session)
        let signedIn = try await engine.serving(caller).openClientSession(
            of: state.account, context: state.session.authentication, isChallengeAnswered: true,
            recognizesDevice: false, session: session, isRemembered: code.scopes.contains(.offlineAccess),
            attachment: try seal(grant, for: session))
        // The session exists before the code is spent, so that a replay finds a session to revoke, however soon after
        // the first redemption it arrives.
        guard
            case .spent = try await ports.store.spend(
                .authorizationCode, hash, in: app, at: now, for: session, keeping: nil)
        else {
            try await revoke(session, for: .reuse, at: now)
            return try await refuseReplay(of: hash, at: now)
        }
        // A sign-out ends the grants that it finds. This one may have been created since: then it ends here.
        guard try await liveSession(of: code, at: now) != nil else {
            try await revoke(session, for: .signOut, at: now)
            throw OAuthError.invalidGrant
        }
        return try await answer(signedIn.tokens, state.account, grant, nonce: code.nonce)
    }

    /// Refuses a spent code, which an attacker may hold: revokes the session that it was exchanged for. Source: RFC
    /// 6749 §4.1.2.
    private func refuseReplay(of hash: [UInt8], at now: Date) async throws -> TokenAnswer {
        let spending = try await ports.store.spend(
            .authorizationCode, hash, in: app, at: now, for: nil, keeping: nil)
        if case .replayed(_, let session?) = spending { try await revoke(session, for: .reuse, at: now) }
        throw OAuthError.invalidGrant
    }

    private func revoke(_ session: SessionID, for reason: Revocation.Reason, at now: Date) async throws {
        _ = try await ports.store.revoke(session, in: app, Revocation(reason: reason, at: now))
    }

    private static func isProven(_ code: AuthorizationCode, by verifier: String?) -> Bool {
        guard let challenge = code.codeChallenge else {
            // A verifier without a challenge: the challenge was removed from the request (downgrade attack). Source:
            // RFC 9700 §4.8.2.
            return verifier == nil
        }
        return verifier.map { CodeChallenge.matches(challenge, verifier: Secret($0)) } ?? false
    }

    /// Returns the session of the user who consented, as long as that browser session is still valid.
    private func liveSession(of code: AuthorizationCode, at now: Date) async throws -> SessionState? {
        guard let state = try await ports.store.session(SessionID(code.session), in: app),
            state.account.id.text.utf8.elementsEqual(code.account.utf8), state.isAlive(at: now)
        else { return nil }
        return state
    }

    /// Refreshes a client's tokens. A narrower scope applies to this response's access token alone: the grant, and with
    /// it the refresh token, remain unchanged. Source: RFC 6749 §6, OpenID Connect Core §12.
    private func refresh(
        _ given: [String: String], _ client: ProviderClient, from caller: Caller
    ) async throws -> TokenAnswer {
        guard let token = given["refresh_token"].map({ Secret($0) }) else {
            throw OAuthError.invalidRequest("refresh_token is needed.")
        }
        // Checked before the exchange, so that a client neither uses nor ends another client's grant.
        guard let session = grants.ports.refreshTokens.read(token)?.session, let grant = try await grant(of: session),
            grant.client.utf8.elementsEqual(client.id.utf8), grant.scopes.contains(.offlineAccess)
        else { throw OAuthError.invalidGrant }
        let scopes = try Self.scopes(given, of: grant)
        var tokens = try await grants.serving(caller).perform(Refresh(refreshToken: token))
        guard let state = try await ports.store.session(session, in: app) else { throw OAuthError.invalidGrant }
        if scopes != grant.scopes {
            tokens.accessToken = try await accessToken(of: state, for: scopes)
        }
        var answer = try await answer(tokens, state.account, grant.narrowed(to: Scope.write(scopes)), nonce: nil)
        answer.refreshToken = tokens.refreshToken
        return answer
    }

    /// Returns the requested scopes of a refresh. Source: RFC 6749 §6 (only granted scopes; all of them if omitted).
    private static func scopes(_ given: [String: String], of grant: Grant) throws -> [Scope] {
        guard let text = given["scope"] else { return grant.scopes }
        let asked = text.utf8.split(separator: UInt8(ascii: " ")).map { String($0).flatMap(Scope.init(rawValue:)) }
        guard !asked.isEmpty, asked.allSatisfy({ $0.map(grant.scopes.contains) ?? false }) else {
            throw OAuthError.invalidScope
        }
        return grant.scopes.filter(asked.contains)
    }

    /// Returns an access token with a part of the session's scopes, otherwise like that of a refresh.
    private func accessToken(
        of state: SessionState, for scopes: [Scope]
    ) async throws -> Secret<String> {
        var authentication: SessionAuthentication?
        if grants.app.secondFactor.requirement != .off {
            // A refresh never asks: a session that has become insufficient is refused where its token is used.
            authentication = grants.authentication(
                of: AuthenticatedSession(account: state.account, session: state.session))
        }
        let now = ports.system.now()
        let expiresAt = now.addingTimeInterval(Double(grants.app.rules.accessTokenSeconds))
        return try await grants.ports.accessTokens.issue(
            AccessTokenRequest(
                subject: state.account.id.text, session: state.session.id, generation: state.session.generation,
                issuedAt: now, expiresAt: min(expiresAt, state.session.endsAt), scope: Scope.write(scopes),
                authentication: authentication, boundKey: state.session.boundKey))
    }

    private func answer(
        _ tokens: Tokens, _ account: Account, _ grant: Grant, nonce: String?
    ) async throws -> TokenAnswer {
        let now = ports.system.now()
        let idToken = try await idTokens.issue(
            IDTokenGrant(
                subject: account.subject, client: grant.client, session: try SessionID(grant.session), issuedAt: now,
                expiresAt: now.addingTimeInterval(Double(Self.idTokenSeconds)),
                authenticatedAt: Date(timeIntervalSince1970: Double(grant.authenticatedAt)),
                level: grant.acr.flatMap(AuthenticationLevel.init), methods: grant.amr ?? [], nonce: nonce,
                accessToken: tokens.accessToken, labels: account.labels(for: grant.scopes)))
        return TokenAnswer(
            accessToken: tokens.accessToken,
            expiresInSeconds: Int(tokens.expiresIn?.components.seconds ?? Int64(grants.app.rules.accessTokenSeconds)),
            refreshToken: grant.scopes.contains(.offlineAccess) ? tokens.refreshToken : nil, idToken: idToken,
            scope: Scope.write(grant.scopes), isBound: tokens.isBound)
    }
}
