import Foundation
package import OstiaryCore
package import OstiaryEngine
import OstiaryTokens

/// What comes next for a browser that a client sent.
package enum AuthorizationStep: Hashable, Sendable {
    /// A page tells the person; nobody is redirected. Source: RFC 6749 §4.1.2.1.
    case refused(Problem)
    /// Back to the client, with a code or an error.
    case redirect(String)
    /// The person signs in.
    case signIn(AuthenticationRequest)
    /// The person says who they are at the service that is played.
    case standIn(AuthenticationRequest, connection: String)
    /// The person, who is signed in, agrees or declines.
    case consent(AuthenticationRequest, Account)

    package enum Problem: Hashable, Sendable {
        case unknownClient, redirectURIRefused, malformedRequest
    }
}

extension OpenIDProvider {
    /// Reads a request and says what comes next.
    ///
    /// - Parameters:
    ///   - parameters: Each name once, decoded; a request that names one twice is refused by whoever reads it.
    ///   - cookie: The browser's session.
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``; ``AuthError/unavailable(incident:)``.
    package func authorize(
        _ parameters: [String: String], session cookie: Secret<String>?, from caller: Caller
    ) async throws(AuthError) -> AuthorizationStep {
        try await step(parameters, session: cookie, from: caller, hasConsent: false)
    }

    /// Goes on after the person agreed to what ``AuthorizationStep/consent(_:_:)`` asked.
    ///
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``; ``AuthError/unavailable(incident:)``.
    package func consent(
        _ parameters: [String: String], session cookie: Secret<String>?, from caller: Caller
    ) async throws(AuthError) -> AuthorizationStep {
        try await step(parameters, session: cookie, from: caller, hasConsent: true)
    }

    /// Tells the client that the person declined.
    package func decline(_ parameters: [String: String]) -> AuthorizationStep {
        do throws(AuthenticationRequest.Refusal) {
            return refusing(try AuthenticationRequest(parameters, at: self), .accessDenied)
        } catch {
            return Self.step(for: error)
        }
    }

    /// The request that a page was made for, read from what its form carried; nil if there is none to go on with.
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
            expected?.isOf(bearer.account) ?? true, request.isFulfilled(by: bearer, at: ports.surroundings.now())
        else {
            if isSilent { return refusing(request, .loginRequired) }
            return request.connection.map { .standIn(request, connection: $0) } ?? .signIn(request)
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

    /// Whom the client expects; nil for anybody. Source: OpenID Connect Core §3.1.2.1 (id_token_hint).
    ///
    /// - Throws: ``AuthorizationProblem/invalidRequest`` for what is no ID token of ours; what the store of the keys throws.
    private func hint(of request: AuthenticationRequest) async throws -> IDTokenHint? {
        guard let token = request.idTokenHint else { return nil }
        guard let hint = try await idTokens.read(hint: token, at: ports.surroundings.now()) else {
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
    /// Whether somebody's being signed in is what the client asks for.
    fileprivate func isFulfilled(by bearer: Bearer, at now: Date) -> Bool {
        guard prompts.isDisjoint(with: [.login, .selectAccount]) else { return false }
        if let connection, bearer.account.provider != connection { return false }
        guard let maximumAge else { return true }
        let age = now.timeIntervalSince(bearer.session.createdAt)
        // At most nothing means: sign in now, however short ago it was. Source: OpenID Connect Core §3.1.2.1.
        return maximumAge > 0 && age <= Double(maximumAge)
    }
}
