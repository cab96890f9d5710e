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
        try await step(parameters, session: cookie, from: caller, consent: nil)
    }

    /// Continues after the user agreed at the step ``AuthorizationStep/consent(_:_:tag:)`` or
    /// ``AuthorizationStep/confirmation(_:_:tag:)``, which is repeated in another session and for another request.
    ///
    /// - Parameter tag: The tag of the step.
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``; ``AuthError/unavailable(incident:)``.
    package func consent(
        _ parameters: [String: String], by tag: String, session cookie: Secret<String>?, from caller: Caller
    ) async throws(AuthError) -> AuthorizationStep {
        try await step(parameters, session: cookie, from: caller, consent: tag)
    }

    /// Informs the client that the user declined.
    package func decline(_ parameters: [String: String]) -> AuthorizationStep { refuse(parameters, .accessDenied) }

    /// Informs the client that the user did not authenticate at the requested level.
    package func declineLevel(_ parameters: [String: String]) -> AuthorizationStep {
        refuse(parameters, .unmetAuthenticationRequirements)
    }

    private func refuse(_ parameters: [String: String], _ problem: AuthorizationProblem) -> AuthorizationStep {
        do throws(AuthenticationRequest.Refusal) {
            return refusing(try AuthenticationRequest(parameters, at: self), problem)
        } catch {
            return Self.step(for: error)
        }
    }

    /// Returns the request that a page was made for, parsed from its form's parameters; nil if it is not valid.
    package func request(_ parameters: [String: String]) -> AuthenticationRequest? {
        try? AuthenticationRequest(parameters, at: self)
    }

    private func step(
        _ parameters: [String: String], session cookie: Secret<String>?, from caller: Caller, consent tag: String?
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
            expected?.isOf(bearer.account) ?? true, request.accepts(bearer)
        else {
            return isSilent ? refusing(request, .loginRequired) : Self.signIn(request)
        }
        let authentication: SessionAuthentication
        switch try await level(of: bearer, for: request, from: caller) {
        case .sufficient(let known): authentication = known
        case .tooOld: return isSilent ? refusing(request, .loginRequired) : Self.signIn(request)
        case .insufficient(let challenge):
            return isSilent ? refusing(request, .loginRequired) : .stepUp(request, challenge)
        case .withoutFactor:
            guard canEnrol else { return refusing(request, .unmetAuthenticationRequirements) }
            return isSilent ? refusing(request, .loginRequired) : .enrol(request)
        }
        if !(tag.map { isConsent($0, of: bearer.session.id, for: request) } ?? false),
            let question = question(of: request, to: bearer, proof: parameters[Self.interactionParameter])
        {
            return question
        }
        try countCode(for: bearer.account.id)
        do {
            return .redirect(
                answer(to: request).accepting(
                    code: try await issueCode(for: request, bearer, authentication)))
        } catch {
            throw .unavailable(incident: ports.report(error))
        }
    }

    /// Returns the question that the user answers before the client gets a code; nil if there is none.
    ///
    /// - Parameter proof: The value of ``interactionParameter``.
    private func question(
        of request: AuthenticationRequest, to bearer: AuthenticatedSession, proof: String?
    ) -> AuthorizationStep? {
        let isSilent = request.prompts.contains(.none)
        let tag = consentTag(of: bearer.session.id, for: request)
        if !request.client.isFirstParty || request.prompts.contains(.consent) {
            return isSilent ? refusing(request, .consentRequired) : .consent(request, bearer.account, tag: tag)
        }
        guard request.requiresInteraction,
            !(proof.map { isInteraction($0, in: bearer.session.id, for: request) } ?? false)
        else { return nil }
        return isSilent ? refusing(request, .interactionRequired) : .confirmation(request, bearer.account, tag: tag)
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

    private static func signIn(_ request: AuthenticationRequest) -> AuthorizationStep {
        request.connection.map { .mockSignIn(request, connection: $0) } ?? .signIn(request)
    }

    /// The authentication of a session compared with the one that a client requests.
    private enum RequestedLevel {
        case sufficient(SessionAuthentication)
        /// Only a new sign-in suffices.
        case tooOld
        /// The challenge would raise the session to the level, or nearer to it.
        case insufficient(Challenge)
        /// The account has no second factor.
        case withoutFactor
    }

    /// Compares a session with `max_age` and `acr_values`. A level that the account cannot reach is not required if the
    /// client lists another. Source: OpenID Connect Core §3.1.2.1; RFC 9470 §5.
    private func level(
        of bearer: AuthenticatedSession, for request: AuthenticationRequest, from caller: Caller
    ) async throws(AuthError) -> RequestedLevel {
        let engine = engine.serving(caller)
        let known: SessionAuthentication
        do throws(AuthError) {
            known = try await engine.requireAuthentication(
                of: bearer, level: nil, maximumAgeSeconds: request.maximumAge)
        } catch {
            guard case .stepUpRequired(let requirement) = error else { throw error }
            // The provider requires a second factor of the account, whatever the client requests.
            if requirement.level != nil, let challenge = requirement.challenge { return .insufficient(challenge) }
            return .tooOld
        }
        guard let level = request.levels.first, level > .aal1 else { return .sufficient(known) }
        do throws(AuthError) {
            return .sufficient(
                try await engine.requireAuthentication(
                    of: bearer, level: level, maximumAgeSeconds: request.maximumAge))
        } catch {
            guard case .stepUpRequired(let requirement) = error else { throw error }
            let isOptional = request.levels.contains(.aal1)
            if isOptional, requirement.challenge == nil || request.prompts.contains(.none) { return .sufficient(known) }
            if let challenge = requirement.challenge { return .insufficient(challenge) }
            do {
                return try await ports.store.factors(of: bearer.account.id, in: app).factors.isEmpty
                    ? .withoutFactor : .tooOld
            } catch {
                throw .unavailable(incident: ports.report(error))
            }
        }
    }

    /// `true` if people can add a second factor.
    private var canEnrol: Bool {
        let policy = engine.app.secondFactor
        return policy.requirement != .off
            && (policy.methods.contains(.totp) || policy.methods.contains(.passkey) && engine.app.passkeys != nil)
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
    /// Returns `true` unless the request requires a new sign-in, whatever the existing one.
    fileprivate func accepts(_ bearer: AuthenticatedSession) -> Bool {
        // `max_age=0` is `prompt=login`. Source: OpenID Connect Core §3.1.2.1.
        prompts.isDisjoint(with: [.login, .selectAccount]) && maximumAge != 0
            && connection.map { bearer.account.provider == $0 } ?? true
    }
}
