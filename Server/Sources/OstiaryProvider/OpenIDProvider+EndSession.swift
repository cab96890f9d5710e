package import OstiaryCore
package import OstiaryEngine
import OstiaryTokens

extension OpenIDProvider {
    /// Validates a logout request. Ends no session: the user confirms first, since a link alone, which any page can
    /// contain, must not change state.
    ///
    /// - Parameter parameters: The decoded parameters, each name once.
    /// - Returns: Nil if the request contradicts itself, names an unknown client, or has a redirect URI that is not
    ///   registered for the client.
    /// - Throws: ``AuthError/unavailable(incident:)``.
    package func endSession(_ parameters: [String: String]) async throws(AuthError) -> EndSessionRequest? {
        let given = parameters.filter { !$0.value.isEmpty }
        guard given.values.allSatisfy({ $0.utf8.count <= 8192 }) else { return nil }
        var names: [String] = []
        if let id = given["client_id"] { names.append(id) }
        if let hint = given["id_token_hint"] {
            do {
                guard let read = try await idTokens.read(hint: Secret(hint), at: ports.system.now()) else {
                    return nil
                }
                names.append(read.client)
            } catch {
                throw .unavailable(incident: ports.report(error))
            }
        }
        guard names.count < 2 || names[0].utf8.elementsEqual(names[1].utf8) else { return nil }
        let client = names.first.flatMap { self.client($0) }
        guard (client == nil) == names.isEmpty else { return nil }
        var kept: [(name: String, value: String)] = client.map { [("client_id", $0.id)] } ?? []
        guard let uri = given["post_logout_redirect_uri"] else {
            return EndSessionRequest(client: client, destination: nil, query: URLQuery.encode(kept))
        }
        guard let client, client.postLogoutRedirectURIs.contains(uri) else { return nil }
        kept.append(("post_logout_redirect_uri", uri))
        let state: [(name: String, value: String)] = given["state"].map { [("state", $0)] } ?? []
        return EndSessionRequest(
            client: client, destination: URLQuery.append(state, to: uri), query: URLQuery.encode(kept + state))
    }

    /// Ends the browser's session, and revokes the clients' sessions that were granted in it.
    ///
    /// The browser's session ends first, so that the concurrent redemption of a code finds it ended either before or
    /// after it creates its session. Idempotent: can be retried after an error.
    package func signOut(session cookie: Secret<String>?, from caller: Caller) async throws(AuthError) {
        guard let cookie else { return }
        _ = try await engine.serving(caller).perform(SignOut(accessToken: cookie))
        do {
            guard let browser = try await browserSession(of: cookie) else { return }
            try await endGrants(of: browser)
        } catch {
            throw .unavailable(incident: ports.report(error))
        }
    }

    /// Ends the clients' sessions that were granted in a browser's session.
    func endGrants(of browser: SessionState) async throws {
        let now = ports.system.now()
        for session in try await granted(in: browser).map(\.session) {
            _ = try await ports.store.revoke(session, in: app, Revocation(reason: .signOut, at: now))
        }
    }

    /// Ends the browser's session before a sign-in. If the same account signs in, its grants move to the new session,
    /// so that a sign-out there ends them too; grants of another account remain unchanged. A session that goes on, after
    /// a step-up, remains unchanged too.
    package func replaceSession(
        _ cookie: Secret<String>, with signedIn: SignedIn, from caller: Caller
    ) async throws(AuthError) {
        do {
            let before = try await browserSession(of: cookie)
            let after = try await browserSession(of: signedIn.tokens.accessToken)
            guard before == nil || before?.session.id != after?.session.id else { return }
            _ = try await engine.serving(caller).perform(SignOut(accessToken: cookie))
            guard let before, let after,
                before.account.id.text.utf8.elementsEqual(after.account.id.text.utf8)
            else { return }
            for (session, grant, version) in try await granted(in: before) {
                var grant = grant
                grant.session = after.session.id.text
                _ = try await ports.store.replaceAttachment(
                    of: session, in: app, version: version, with: try seal(grant, for: session))
            }
        } catch let refusal as AuthError {
            throw refusal
        } catch {
            throw .unavailable(incident: ports.report(error))
        }
    }

    /// Returns the session of a cookie, also one that has ended.
    private func browserSession(of cookie: Secret<String>) async throws -> SessionState? {
        guard let token = try await ports.accessTokens.read(cookie, at: ports.system.now()) else { return nil }
        return try await ports.store.session(token.session, in: app)
    }

    /// Returns the clients' sessions that were granted in a browser's session.
    private func granted(
        in browser: SessionState
    ) async throws -> [(session: SessionID, grant: Grant, version: Int)] {
        var granted: [(session: SessionID, grant: Grant, version: Int)] = []
        let sessions = try await ports.store.sessions(of: browser.account.id, in: app, at: ports.system.now())
        for session in sessions {
            guard let (grant, version) = try await versionedGrant(of: session.id),
                grant.session.utf8.elementsEqual(browser.session.id.text.utf8)
            else { continue }
            granted.append((session.id, grant, version))
        }
        return granted
    }
}
