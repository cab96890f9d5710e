import Foundation
package import OstiaryContracts
import OstiaryCore
package import OstiaryEngine

extension OpenIDProvider {
    /// Revokes the session of a client's token. Any other token, known or unknown, changes nothing and succeeds.
    /// Source: RFC 7009 §2.1, §2.2.
    package func revoke(
        _ parameters: [String: String], authorization: String?, from caller: Caller
    ) async throws(OAuthError) {
        let (client, caller) = try countedClient(
            parameters.filter { !$0.value.isEmpty }, authorization: authorization, from: caller)
        guard let token = parameters["token"].map({ Secret($0) }), !token.reveal().isEmpty else {
            throw .invalidRequest("token is needed.")
        }
        do {
            guard let session = try await session(of: token), try await isGranted(session, to: client) else { return }
            // The client's own authentication authorizes it, so no proof is required. Source: RFC 7009 §2.1.
            try await grants.serving(caller).signOutClient(SignOut(accessToken: token, refreshToken: token))
        } catch {
            throw refusal(for: error)
        }
    }

    /// Returns whether a client's token is active and its scope; for any other token only that it is inactive. Source:
    /// RFC 7662 §2.2.
    ///
    /// - Throws: `invalid_client` for public clients too: any caller could use their id.
    package func introspect(
        _ parameters: [String: String], authorization: String?, from caller: Caller
    ) async throws(OAuthError) -> JSON {
        let (client, _) = try countedClient(
            parameters.filter { !$0.value.isEmpty }, authorization: authorization, from: caller)
        guard client.secret != nil else { throw .invalidClient }
        guard let token = parameters["token"].map({ Secret($0) }), !token.reveal().isEmpty else {
            throw .invalidRequest("token is needed.")
        }
        do {
            return try await description(of: token, for: client) ?? ["active": false]
        } catch {
            throw refusal(for: error)
        }
    }

    private func description(of token: Secret<String>, for client: ProviderClient) async throws -> JSON? {
        let now = ports.system.now()
        guard let id = try await session(of: token), let grant = try await grant(of: id),
            grant.client.utf8.elementsEqual(client.id.utf8),
            let state = try await ports.store.session(id, in: app), state.isAlive(at: now)
        else { return nil }
        let tokenClaims = try await grants.ports.accessTokens.read(token, at: now)
        var members: [JSON.Member] = [
            JSON.Member("active", true), JSON.Member("client_id", .string(grant.client)),
            JSON.Member("iss", .string(settings.issuer)), JSON.Member("sub", .string(state.account.subject)),
            JSON.Member("scope", .string(Scope.write(grant.narrowed(to: tokenClaims?.scope).scopes))),
        ]
        // Source: RFC 9470 §6.2.
        members += [JSON.Member("auth_time", .integer(grant.authenticatedAt))]
        if let acr = grant.acr { members.append(JSON.Member("acr", .string(acr))) }
        if let tokenClaims {
            members += [
                JSON.Member("token_type", .string(tokenClaims.boundKey == nil ? Tokens.type : Tokens.boundType)),
                JSON.Member("aud", .string("\(settings.issuer)/userinfo")),
                JSON.Member("exp", .integer(Int(tokenClaims.expiresAt.timeIntervalSince1970))),
            ]
            // Source: RFC 9449 §6.2.
            if let key = tokenClaims.boundKey { members.append(JSON.Member("cnf", ["jkt": .string(key)])) }
        } else {
            // An earlier refresh token may be accepted once more, but is not reported as active.
            guard grant.scopes.contains(.offlineAccess),
                grants.ports.refreshTokens.read(token)?.generation == state.session.generation
            else { return nil }
            members.append(JSON.Member("exp", .integer(Int(state.session.idleEndsAt.timeIntervalSince1970))))
        }
        return .object(members)
    }

    /// Returns the session of a client's access or refresh token; nil for anything else.
    private func session(of token: Secret<String>) async throws -> SessionID? {
        if let content = grants.ports.refreshTokens.read(token) { return content.session }
        return try await grants.ports.accessTokens.read(token, at: ports.system.now())?.session
    }

    private func isGranted(_ session: SessionID, to client: ProviderClient) async throws -> Bool {
        try await grant(of: session).map { $0.client.utf8.elementsEqual(client.id.utf8) } ?? false
    }
}
