package import OstiaryContracts
package import OstiaryCore
package import OstiaryEngine
import OstiaryTokens

extension OpenIDProvider {
    /// Returns the claims of the access token's owner that the client may read. Source: OpenID Connect Core §5.3.
    ///
    /// - Throws: `invalid_token`, also for the token of a browser's session; `insufficient_user_authentication` for a session
    ///   that lacks the factor that its account must have (RFC 9470); `temporarily_unavailable`.
    package func userInfo(_ accessToken: Secret<String>, from caller: Caller) async throws(OAuthError) -> JSON {
        do {
            guard let (bearer, grant) = try await granted(accessToken, from: caller) else {
                throw OAuthError.invalidToken
            }
            if grants.app.secondFactor.requirement != .off {
                _ = try await grants.serving(caller).requireAuthentication(
                    of: bearer, level: nil, maximumAgeSeconds: nil)
            }
            let labels = bearer.account.labels(for: grant.scopes)
            var members = [JSON.Member("sub", .string(bearer.account.subject))]
            func add(_ name: String, _ value: String?) {
                if let value { members.append(JSON.Member(name, .string(value))) }
            }
            add("name", labels.name)
            add("preferred_username", labels.preferredUsername)
            add("email", labels.email)
            if let isVerified = labels.isEmailVerified {
                members.append(JSON.Member("email_verified", .boolean(isVerified)))
            }
            return .object(members)
        } catch {
            throw refusal(for: error)
        }
    }

    /// Returns the owner and the grant of a client's access token; nil if it is of another kind or no longer valid, or its
    /// client was removed.
    func granted(_ accessToken: Secret<String>, from caller: Caller) async throws -> (AuthenticatedSession, Grant)? {
        let bearer: AuthenticatedSession
        do throws(AuthError) {
            bearer = try await grants.serving(caller).bearer(of: accessToken)
        } catch {
            switch error {
            case .unavailable, .invalidDPoPProof, .useDPoPNonce: throw error
            default: break
            }
            return nil
        }
        let tokenClaims = try await grants.ports.accessTokens.read(accessToken, at: ports.system.now())
        guard let tokenClaims, let grant = try await grant(of: bearer.session.id), client(grant.client) != nil
        else { return nil }
        return (bearer, grant.narrowed(to: tokenClaims.scope))
    }
}
