public import OstiaryCore

/// A signed-in person, proven by an access token.
public struct Bearer: Hashable, Sendable {
    public var account: Account
    public var session: Session

    public var user: User { account.user }
}

extension AuthEngine {
    /// Whose access token this is. Asked on every request, so that a session that was ended is over at once.
    ///
    /// - Throws: ``AuthError/invalidAccessToken``, ``AuthError/sessionRevoked``, ``AuthError/accountDisabled`` or
    ///   ``AuthError/unavailable(incident:)``.
    public func bearer(of accessToken: Secret<String>) async throws(AuthError) -> Bearer {
        do { return try await provenBearer(of: accessToken) } catch { throw refusal(for: error) }
    }

    /// The person an operation is for; counts what they do.
    func signedIn(_ accessToken: Secret<String>) async throws -> Bearer {
        let bearer = try await provenBearer(of: accessToken)
        try countFlood(.other, "account", bearer.account.id.text)
        return bearer
    }

    private func provenBearer(of accessToken: Secret<String>) async throws -> Bearer {
        let now = ports.surroundings.now()
        guard let ticket = try await ports.accessTokens.read(accessToken, at: now),
            let state = try await ports.store.session(ticket.session, in: app.name),
            ticket.subject.utf8.elementsEqual(tokenSubject(of: state.account).utf8)
        else { throw AuthError.invalidAccessToken }
        let session = state.session
        // First, because disabling an account revokes its sessions.
        guard state.account.isActive else { throw AuthError.accountDisabled }
        guard session.revocation == nil else { throw AuthError.sessionRevoked }
        guard now < session.endsAt, now < session.idleEndsAt else { throw AuthError.invalidAccessToken }
        if ticket.generation == session.generation, state.currentFirstUsedAt == nil {
            ports.store.noteUse(of: ticket.generation, in: session.id, app: app.name, at: now)
        }
        return Bearer(account: state.account, session: session)
    }
}
