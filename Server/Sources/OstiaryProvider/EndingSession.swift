public import OstiaryCore
public import OstiaryEngine
import OstiaryTokens

/// A client's wish that the person sign out, checked. Source: OpenID Connect RP-Initiated Logout §2.
public struct EndSessionRequest: Hashable, Sendable {
    /// Nil if nobody says who asks.
    public let client: ProviderClient?
    /// Where the browser goes afterwards, with the client's state; nil to stay.
    public let destination: String?
    /// The request as a query again, for the form that asks the person.
    public let query: String
}

extension OpenIDProvider {
    /// Reads a wish that the person sign out. Signs nobody out: the person is asked first, since a link alone, which any
    /// page can hold, must change nothing.
    ///
    /// - Parameter parameters: Each name once, decoded.
    /// - Returns: Nil if the request contradicts itself, or names a place to go that is none of the client's.
    /// - Throws: ``AuthError/unavailable(incident:)``.
    public func endSession(_ parameters: [String: String]) async throws(AuthError) -> EndSessionRequest? {
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

    /// Signs a browser out. What clients were granted goes on: they end it themselves.
    public func signOut(session cookie: Secret<String>?, from caller: Caller) async throws(AuthError) {
        guard let cookie else { return }
        _ = try await engine.serving(caller).signOut(SignOut(accessToken: cookie))
    }
}
