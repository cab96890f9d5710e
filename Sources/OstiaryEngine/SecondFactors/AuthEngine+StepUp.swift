import Foundation
public import OstiaryCore

/// Requires and raises the authentication of a session. Source: RFC 9470.
extension AuthEngine {
    /// The maximum age of an authentication for sensitive operations, in seconds.
    static let stepUpSeconds = DeleteAccount.maximumAuthenticationAgeSeconds

    /// Checks that the caller of a sensitive operation authenticated recently, with two factors if the account has one.
    ///
    /// - Parameters:
    ///   - confirmed: A method that the request itself proves; it is not judged yet.
    ///   - managesFactors: `true` for changes of the account's factors.
    /// - Throws: ``AuthError/stepUpRequired(_:)``.
    func requireStepUp(
        _ bearer: AuthenticatedSession, confirming confirmed: AuthenticationMethod? = nil, managesFactors: Bool = false
    ) async throws {
        let enrolled =
            app.secondFactor.requirement == .off
            ? EnrolledFactors() : try await ports.store.factors(of: bearer.account.id, in: app.name)
        let requirement = AuthenticationRequirement(
            level: enrolled.factors.isEmpty ? .aal1 : .aal2, maximumAgeSeconds: Self.stepUpSeconds,
            acceptsRecoveryCode: managesFactors)
        var context = context(of: bearer.session, bearer.account)
        if let confirmed {
            context.add(AuthenticationContext.Event(method: confirmed, at: ports.system.now()))
        }
        try await require(requirement, of: context, bearer, enrolled)
    }

    /// Checks that a session has the level that its account must have.
    ///
    /// - Throws: ``AuthError/stepUpRequired(_:)`` for a session of one factor whose account must have two: a role was
    ///   granted, or the policy tightened, since the sign-in. There is no challenge if the account has no factor; the next
    ///   sign-in adds one.
    func requireFactor(of bearer: AuthenticatedSession) async throws {
        // An administrator who acts for the account has none of its factors, and may do little.
        guard bearer.session.actor == nil, app.secondFactor.requiresFactor(of: bearer.account) else { return }
        let context = context(of: bearer.session, bearer.account)
        let isRemembered =
            app.secondFactor.remembersDevices(of: bearer.account)
            && context.events.contains { $0.method == .rememberedDevice }
        guard context.level < .aal2, !isRemembered else { return }
        try await require(AuthenticationRequirement(level: .aal2), of: context, bearer)
    }

    /// Checks that a session has a level, within a time, and the level that its account must have.
    ///
    /// - Parameters:
    ///   - level: The required level; nil for any.
    ///   - maximumAgeSeconds: The maximum age of each factor that the level needs, in seconds; nil for any age.
    /// - Returns: The authentication, with the time for the required level; for a session in which an administrator acts, one
    ///   without methods.
    /// - Throws: `AuthError.stepUpRequired(_:)` with a challenge of the methods that would advance it; `AuthError.impersonated`
    ///   for a level or an age in a session in which an administrator acts.
    public func requireAuthentication(
        of bearer: AuthenticatedSession, level: AuthenticationLevel?, maximumAgeSeconds: Int?
    ) async throws(AuthError) -> SessionAuthentication {
        if bearer.session.actor != nil, level == nil, maximumAgeSeconds == nil {
            // The owner has not authenticated, and no condition asks for it.
            return SessionAuthentication(level: .aal1, time: bearer.session.createdAt, methods: [])
        }
        do {
            try await requireFactor(of: bearer)
            return try await qualified(bearer, level: level, maximumAgeSeconds: maximumAgeSeconds)
        } catch let refused as Refused {
            throw refused.refusal
        } catch {
            throw refusal(for: error)
        }
    }

    func qualified(
        _ bearer: AuthenticatedSession, level: AuthenticationLevel?, maximumAgeSeconds: Int?
    ) async throws -> SessionAuthentication {
        if let actor = bearer.session.actor, level != nil || maximumAgeSeconds != nil {
            throw Refused(.impersonated, account: bearer.account.id, session: bearer.session.id, actor: actor)
        }
        let context = context(of: bearer.session, bearer.account)
        // Without any requirement it is the session's own level.
        let level = level ?? (maximumAgeSeconds == nil ? context.level : .aal1)
        var requirement = AuthenticationRequirement(level: level, maximumAgeSeconds: maximumAgeSeconds)
        try await require(requirement, of: context, bearer)
        // The higher level is reported only with factors that are all recent enough: level and time belong together.
        requirement.level = .aal2
        let isHigher = requirement.missingKinds(in: context, at: ports.system.now()).isEmpty
        return authentication(of: bearer.session, bearer.account, at: isHigher ? .aal2 : level)
    }

    /// Returns the authentication of a session, whatever its account requires.
    public func authentication(of bearer: AuthenticatedSession) -> SessionAuthentication {
        authentication(of: bearer.session, bearer.account)
    }

    /// Returns the authentication of a session at a level, with the time for that level.
    ///
    /// - Parameter level: A level that the session has; nil for its own.
    func authentication(
        of session: Session, _ account: Account, at level: AuthenticationLevel? = nil
    ) -> SessionAuthentication {
        let context = context(of: session, account)
        let level = level ?? context.level
        return SessionAuthentication(
            level: level, time: context.time(for: level) ?? session.createdAt,
            methods: context.references)
    }

    /// - Parameter known: The factors of the account, if they were read before.
    /// - Throws: ``AuthError/stepUpRequired(_:)`` with a challenge of the methods that satisfy the requirement.
    private func require(
        _ requirement: AuthenticationRequirement, of context: AuthenticationContext, _ bearer: AuthenticatedSession,
        _ known: EnrolledFactors? = nil
    ) async throws {
        let missing = requirement.missingKinds(in: context, at: ports.system.now())
        guard !missing.isEmpty else { return }
        let account = bearer.account
        let enrolled: EnrolledFactors
        if let known {
            enrolled = known
        } else {
            enrolled = try await ports.store.factors(of: account.id, in: app.name)
        }
        let methods = stepUpMethods(of: account, enrolled).filter { method in
            guard let proven = AuthenticationMethod(answering: method) else { return false }
            return requirement.isAdvanced(by: proven, missing: missing)
        }
        let pending = PendingStepUp(
            account: account.id.text, credentialVersion: account.credentialVersion, session: bearer.session.id.text,
            requirement: requirement, methods: methods.map(\.rawValue))
        throw Refused(
            .stepUpRequired(
                StepUpRequirement(
                    challenge: methods.isEmpty
                        ? nil : try challenge(Challenge.stepUp, .stepUp(pending), methods: methods),
                    level: requirement.level == .aal1 ? nil : requirement.level,
                    maximumAgeSeconds: requirement.maximumAgeSeconds)),
            account: account.id, session: bearer.session.id)
    }

    /// Returns the methods by which an account can authenticate again, the password first.
    func stepUpMethods(of account: Account, _ enrolled: EnrolledFactors) -> [ChallengeMethod] {
        let hasPassword = account.passwordHash != nil && ports.identities.credentialProvider == nil
        return (hasPassword ? [.password] : []) + methods(of: account, enrolled)
    }

    /// Returns the authentication of a session; for one that a server opened without recording it, the sign-in.
    func context(of session: Session, _ account: Account) -> AuthenticationContext {
        guard session.authentication.events.isEmpty, session.actor == nil else { return session.authentication }
        let method = account.passwordHash == nil ? AuthenticationMethod.federated : .password
        return AuthenticationContext([AuthenticationContext.Event(method: method, at: session.createdAt)])
    }

    /// Raises a session with the answers to its step-up.
    ///
    /// - Returns: A fresh access token, and the session's current refresh token.
    /// - Throws: ``AuthError/stepUpRequired(_:)`` with the next challenge if the answer was right and does not suffice.
    func stepUp(
        _ pending: PendingStepUp, of token: ChallengeToken, with call: AnswerChallenge
    ) async throws -> Outcome<SignedIn> {
        guard let accessToken = call.accessToken else { throw AuthError.invalidAccessToken }
        let bearer = try await signedIn(accessToken, requiringFactor: false)
        let account = bearer.account
        guard bearer.session.id.text == pending.session, account.id.text == pending.account,
            account.credentialVersion == pending.credentialVersion
        else { throw Refused(.challengeRefused, account: account.id, session: bearer.session.id) }
        let enrolled = try await ports.store.factors(of: account.id, in: app.name)
        let event: AuthenticationContext.Event
        var factor: String?
        switch try ChallengeAnswer(call, by: methods(answering: token, of: account, enrolled)) {
        case .text(.password, let password):
            try await confirm(password, of: account)
            event = AuthenticationContext.Event(method: .password, at: ports.system.now())
        case let answer:
            factor = answer.method.rawValue
            event = try await attributing(to: AttemptAttribution(factor: factor)) {
                try await judge(answer, to: token, of: account)
            }
        }
        let context = try await add(event, to: bearer)
        try await attributing(to: AttemptAttribution(factor: factor)) {
            try await require(pending.requirement, of: context, bearer, enrolled)
        }
        guard let state = try await ports.store.session(bearer.session.id, in: app.name),
            state.session.revocation == nil
        else { throw Refused(.sessionRevoked, account: account.id, session: bearer.session.id) }
        let now = ports.system.now()
        let tokens = try await tokens(for: state, at: now, with: furtherClaims(of: state, at: now))
        return Outcome(
            SignedIn(tokens: tokens, user: app.user(of: account)), account: account.id, session: bearer.session.id,
            attribution: AttemptAttribution(factor: factor))
    }

    /// Adds an event to the authentication of a session.
    ///
    /// - Returns: The authentication with the event.
    /// - Throws: ``AuthError/sessionRevoked`` if the session has ended.
    func add(
        _ event: AuthenticationContext.Event, to bearer: AuthenticatedSession
    ) async throws -> AuthenticationContext {
        let id = bearer.session.id
        // Each failure is another request's success, and a session has few methods.
        for _ in 0..<100 {
            guard let state = try await ports.store.session(id, in: app.name), state.session.revocation == nil else {
                break
            }
            var context = context(of: state.session, state.account)
            context.add(event)
            let isReplaced = try await ports.store.replaceAuthentication(
                of: id, in: app.name, from: state.session.authentication, to: context)
            if isReplaced { return context }
        }
        throw Refused(.sessionRevoked, account: bearer.account.id, session: id)
    }
}
