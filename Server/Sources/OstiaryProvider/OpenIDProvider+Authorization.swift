import Foundation
package import OstiaryCore
package import OstiaryEngine
import OstiaryTokens

extension OpenIDProvider {
    /// Validates a request and returns the next step.
    ///
    /// - Parameters:
    ///   - parameters: The decoded parameters, each name once; the HTTP layer refuses a request that repeats one.
    ///   - cookie: The value of the browser's session cookie.
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``; ``AuthError/unavailable(incident:)``.
    package func authorize(
        _ parameters: [String: String], session cookie: Secret<String>?, from caller: Caller
    ) async throws(AuthError) -> AuthorizationStep {
        try await step(parameters, session: cookie, from: caller, hasConsent: false)
    }

    /// Continues after the user consented at the step ``AuthorizationStep/consent(_:_:)``.
    ///
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``; ``AuthError/unavailable(incident:)``.
    package func consent(
        _ parameters: [String: String], session cookie: Secret<String>?, from caller: Caller
    ) async throws(AuthError) -> AuthorizationStep {
        try await step(parameters, session: cookie, from: caller, hasConsent: true)
    }

    /// Informs the client that the user declined.
    package func decline(_ parameters: [String: String]) -> AuthorizationStep {
        do throws(AuthenticationRequest.Refusal) {
            return refusing(try AuthenticationRequest(parameters, at: self), .accessDenied)
        } catch {
            return Self.step(for: error)
        }
    }

    /// Returns the request that a page was made for, parsed from its form's parameters; nil if it is not valid.
    package func request(_ parameters: [String: String]) -> AuthenticationRequest? {
        try? AuthenticationRequest(parameters, at: self)
    }

    private func step(
        _ parameters: [String: String], session cookie: Secret<String>?, from caller: Caller, hasConsent: Bool
    ) async throws(AuthError) -> AuthorizationStep {
        let request: AuthenticationRequest
        do throws(AuthenticationRequest.Refusal) {
            request = try AuthenticationRequest(parameters, at: self)
        } catch {
            return Self.step(for: error)
        }
        let expected: IDTokenHint?
        do {
            expected = try await hint(of: request)
        } catch {
            guard error is AuthorizationProblem else { throw .unavailable(incident: ports.report(error)) }
            return refusing(request, .invalidRequest)
        }
        let isSilent = request.prompts.contains(.none)
        guard let bearer = try await bearer(ofSession: cookie, from: caller),
            expected?.isOf(bearer.account) ?? true, request.isFulfilled(by: bearer, at: ports.system.now())
        else {
            if isSilent { return refusing(request, .loginRequired) }
            return request.connection.map { .mockSignIn(request, connection: $0) } ?? .signIn(request)
        }
        let asks = !request.client.isFirstParty || request.prompts.contains(.consent)
        if asks, !hasConsent {
            return isSilent ? refusing(request, .consentRequired) : .consent(request, bearer.account)
        }
        try countCode(for: bearer.account.id)
        do {
            return .redirect(answer(to: request).accepting(code: try await issueCode(for: request, bearer)))
        } catch {
            throw .unavailable(incident: ports.report(error))
        }
    }

    /// Returns the account that the client expects; nil for any account. Source: OpenID Connect Core §3.1.2.1
    /// (id_token_hint).
    ///
    /// - Throws: ``AuthorizationProblem/invalidRequest`` for a hint that is not an ID token of this provider; the error
    ///   of the signing key store.
    private func hint(of request: AuthenticationRequest) async throws -> IDTokenHint? {
        guard let token = request.idTokenHint else { return nil }
        guard let hint = try await idTokens.read(hint: token, at: ports.system.now()) else {
            throw AuthorizationProblem.invalidRequest
        }
        return hint
    }

    private func refusing(_ request: AuthenticationRequest, _ problem: AuthorizationProblem) -> AuthorizationStep {
        .redirect(answer(to: request).refusing(problem))
    }

    private func answer(to request: AuthenticationRequest) -> AuthorizationAnswer {
        AuthorizationAnswer(issuer: settings.issuer, redirectURI: request.redirectURI, state: request.state)
    }

    private static func step(for refusal: AuthenticationRequest.Refusal) -> AuthorizationStep {
        switch refusal {
        case .page(let problem): .refused(problem)
        case .redirect(let uri): .redirect(uri)
        }
    }
}

extension IDTokenHint {
    fileprivate func isOf(_ account: Account) -> Bool { subject.utf8.elementsEqual(account.subject.utf8) }
}

extension AuthenticationRequest {
    /// Returns `true` if the existing sign-in satisfies the request.
    fileprivate func isFulfilled(by bearer: AuthenticatedSession, at now: Date) -> Bool {
        guard prompts.isDisjoint(with: [.login, .selectAccount]) else { return false }
        if let connection, bearer.account.provider != connection { return false }
        guard let maximumAge else { return true }
        let age = now.timeIntervalSince(bearer.session.createdAt)
        // `max_age=0` requires a new sign-in, however recent the last one is. Source: OpenID Connect Core §3.1.2.1.
        return maximumAge > 0 && age <= Double(maximumAge)
    }
}
