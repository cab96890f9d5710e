package import OstiaryCore
package import OstiaryEngine
import OstiaryTokens

/// A client's wish that the person sign out, checked. Source: OpenID Connect RP-Initiated Logout §2.
package struct EndSessionRequest: Hashable, Sendable {
    /// Nil if nobody says who asks.
    package let client: ProviderClient?
    /// Where the browser goes afterwards, with the client's state; nil to stay.
    package let destination: String?
    /// The request as a query again, for the form that asks the person.
    package let query: String
}

extension OpenIDProvider {
    /// Reads a wish that the person sign out. Signs nobody out: the person is asked first, since a link alone, which any
    /// page can hold, must change nothing.
    ///
    /// - Parameter parameters: Each name once, decoded.
    /// - Returns: Nil if the request contradicts itself, or names a place to go that is none of the client's.
    /// - Throws: ``AuthError/unavailable(incident:)``.
    package func endSession(_ parameters: [String: String]) async throws(AuthError) -> EndSessionRequest? {
        let given = parameters.filter { !$0.value.isEmpty }
        guard given.values.allSatisfy({ $0.utf8.count <= 8192 }) else { return nil }
        var names: [String] = []
        if let id = given["client_id"] { names.append(id) }
        if let hint = given["id_token_hint"] {
            do {
                guard let read = try await idTokens.read(hint: Secret(hint), at: ports.surroundings.now()) else {
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
            return EndSessionRequest(client: client, destination: nil, query: QueryText.write(kept))
        }
        guard let client, client.postLogoutRedirectURIs.contains(uri) else { return nil }
        kept.append(("post_logout_redirect_uri", uri))
        let state: [(name: String, value: String)] = given["state"].map { [("state", $0)] } ?? []
        return EndSessionRequest(
            client: client, destination: QueryText.adding(state, to: uri), query: QueryText.write(kept + state))
    }

    /// Signs a browser out, and ends what clients were granted in its session.
    ///
    /// The browser's session ends first: a code that is redeemed meanwhile finds it ended, before or after. Safe to repeat
    /// after an error.
    package func signOut(session cookie: Secret<String>?, from caller: Caller) async throws(AuthError) {
        guard let cookie else { return }
        _ = try await engine.serving(caller).signOut(SignOut(accessToken: cookie))
        do {
            let now = ports.surroundings.now()
            guard let browser = try await browserSession(of: cookie) else { return }
            for session in try await granted(in: browser).map(\.session) {
                _ = try await ports.store.revoke(session, in: app, Revocation(reason: .signOut, at: now))
            }
        } catch {
            throw .unavailable(incident: ports.report(error))
        }
    }

    /// Ends the browser's session before a sign-in. What its owner granted in it goes over to the new session, so that signing
    /// out there ends that too; another person's grants stay as they are.
    package func replaceSession(
        _ cookie: Secret<String>, with signedIn: SignedIn, from caller: Caller
    ) async throws(AuthError) {
        _ = try await engine.serving(caller).signOut(SignOut(accessToken: cookie))
        do {
            guard let before = try await browserSession(of: cookie),
                let after = try await browserSession(of: signedIn.tokens.accessToken),
                before.account.id.text.utf8.elementsEqual(after.account.id.text.utf8)
            else { return }
            for (session, grant, version) in try await granted(in: before) {
                var grant = grant
                grant.session = after.session.id.text
                _ = try await ports.store.replaceAttachment(
                    of: session, in: app, version: version, with: try seal(grant, for: session))
            }
        } catch {
            throw .unavailable(incident: ports.report(error))
        }
    }

    /// The session of a cookie, ended ones too.
    private func browserSession(of cookie: Secret<String>) async throws -> SessionState? {
        guard let token = try await ports.accessTokens.read(cookie, at: ports.surroundings.now()) else { return nil }
        return try await ports.store.session(token.session, in: app)
    }

    /// The clients' sessions that were granted in a browser's.
    private func granted(
        in browser: SessionState
    ) async throws -> [(session: SessionID, grant: Grant, version: Int)] {
        var granted: [(session: SessionID, grant: Grant, version: Int)] = []
        let sessions = try await ports.store.sessions(of: browser.account.id, in: app, at: ports.surroundings.now())
        for session in sessions {
            guard let (grant, version) = try await versionedGrant(of: session.id),
                grant.session.utf8.elementsEqual(browser.session.id.text.utf8)
            else { continue }
            granted.append((session.id, grant, version))
        }
        return granted
    }
}
