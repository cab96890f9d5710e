public import OstiaryCore

/// An account authenticated by an access token, with its session.
public struct AuthenticatedSession: Hashable, Sendable {
    /// The authenticated account.
    public var account: Account
    /// The session that the access token belongs to.
    public var session: Session

    /// Creates an authenticated session from its parts.
    public init(account: Account, session: Session) {
        self.account = account
        self.session = session
    }

    /// Performs changes for which the administrator is named who acts in the session, if one does.
    func attributingChanges<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ change: () async throws -> Value
    ) async rethrows -> Value {
        try await ChangeActor.$current.withValue(session.actor, operation: change)
    }
}

extension AuthEngine {
    /// Authenticates an access token against the session store. Runs on every request, so a revoked session is rejected
    /// immediately.
    ///
    /// - Throws: `AuthError.invalidAccessToken`, `AuthError.sessionRevoked`, `AuthError.accountDisabled` or
    ///   `AuthError.unavailable(incident:)`.
    public func bearer(of accessToken: Secret<String>) async throws(AuthError) -> AuthenticatedSession {
        do { return try await provenBearer(of: accessToken) } catch { throw refusal(for: error) }
    }

    /// Authenticates the caller of an operation, and counts the operation against the account.
    ///
    /// - Parameter requiringFactor: `false` for the operations by which a session reaches the level that its account must
    ///   have.
    func signedIn(_ accessToken: Secret<String>, requiringFactor: Bool = true) async throws -> AuthenticatedSession {
        let bearer = try await provenBearer(of: accessToken)
        try countFlood(.other, "account", bearer.account.id.text)
        if requiringFactor { try await requireFactor(of: bearer) }
        return bearer
    }

    /// - Parameter requiringProof: `false` for a check beside an operation that requires the proof of the session's key
    ///   itself: a proof is accepted once.
    func provenBearer(
        of accessToken: Secret<String>, requiringProof: Bool = true
    ) async throws -> AuthenticatedSession {
        let now = ports.system.now()
        guard let tokenClaims = try await ports.accessTokens.read(accessToken, at: now),
            let state = try await ports.store.session(tokenClaims.session, in: app.name),
            tokenClaims.subject.utf8.elementsEqual(tokenSubject(of: state.account).utf8)
        else { throw AuthError.invalidAccessToken }
        let session = state.session
        guard session.boundKey == tokenClaims.boundKey else { throw AuthError.invalidAccessToken }
        // Before anything about the session is told: a caller with a stolen token learns nothing.
        if requiringProof { try requireProof(of: session, for: accessToken) }
        if let refusal = state.refusal(at: now) { throw refusal }
        try await requirePermitted(session, of: state.account)
        if tokenClaims.generation == session.generation, state.currentFirstUsedAt == nil {
            ports.store.noteUse(of: tokenClaims.generation, in: session.id, app: app.name, at: now)
        }
        return AuthenticatedSession(account: state.account, session: session)
    }
}
