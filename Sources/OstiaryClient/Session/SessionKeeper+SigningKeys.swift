import OstiaryContracts
import OstiaryCore

extension SessionKeeper {
    /// The key that signs a session's requests: a sibling process's, else the one that the server issues.
    ///
    /// A server issues it once for the access token, and again only for the refresh token, so that the key is kept with the
    /// session and asked for with both.
    ///
    /// - Throws: ``ClientError/unsupported(_:)`` from a server that signs nothing: nothing is sent unsigned instead.
    ///   ``ClientError/sessionEnded(_:)`` where the key is lost for good and only a new sign-in brings another.
    func signingKey(
        for token: IssuedToken, otherThan stale: RequestSigningKey?
    ) async throws(ClientError) -> RequestSigningKey {
        if let key = await storedSigningKey(of: token.session), key != stale { return key }
        do {
            return try await issueSigningKey(for: token)
        } catch .refused(.signingKeyAlreadyIssued) {
            // A sibling process may have asked at the same time.
            if let key = await storedSigningKey(of: token.session), key != stale { return key }
        }
        guard let held = held(token.session) else { throw signedOutError }
        guard held.session.refreshToken != nil else { return try await endUnsigned(held.session, stale) }
        // A refresh would wait for the change of password that waits for this.
        guard passwordChanges[token.session] == nil else { throw .refused(.signingKeyAlreadyIssued) }
        // A sibling process may have refreshed: this one's refresh token is not the current one then.
        let renewed = try await refresh(held.session).get()
        return try await issueSigningKey(for: IssuedToken(renewed))
    }

    private func storedSigningKey(of id: ClientSession.ID) async -> RequestSigningKey? {
        guard case .found(let saved) = await read() else { return nil }
        return saved[id]?.signingKey
    }

    private func issueSigningKey(for token: IssuedToken) async throws(ClientError) -> RequestSigningKey {
        var refreshToken = held(token.session)?.session.refreshToken
        if refreshToken == nil, case .found(let saved) = await read() {
            refreshToken = saved[token.session]?.refreshToken
        }
        do {
            return try await auth.perform(
                IssueSigningKey(accessToken: token.token, refreshToken: refreshToken), at: surroundings)
        } catch {
            throw error == .refused(.notFound) ? .unsupported(.issueSigningKey) : error
        }
    }

    /// The key is lost, and without a refresh token nothing shows that this client is the session's: it has to begin anew.
    private func endUnsigned(
        _ session: ClientSession, _ stale: RequestSigningKey?
    ) async throws(ClientError) -> RequestSigningKey {
        // A key was there, and another reason for the refusal than its loss.
        if stale != nil { throw .refused(.signingKeyAlreadyIssued) }
        if let key = await end(session, .signingKeyAlreadyIssued)?.signingKey { return key }
        throw .sessionEnded(.signingKeyAlreadyIssued)
    }
}
