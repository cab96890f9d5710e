package import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryTokens

extension OpenIDProvider {
    /// The paths of the endpoints, below the issuer.
    package enum Endpoint: String, CaseIterable, Sendable {
        case authorization = "/authorize"
        case token = "/oauth/token"
        case userInfo = "/userinfo"
        case keys = "/.well-known/jwks.json"
        case discovery = "/.well-known/openid-configuration"
        case revocation = "/oauth/revoke"
        case introspection = "/oauth/introspect"
        case endSession = "/end-session"
    }

    /// The discovery document. Source: OpenID Connect Discovery §3, RFC 8414 §2, RFC 9207 §3, OpenID Connect
    /// RP-Initiated Logout §2.1.
    package var discovery: JSON {
        func url(_ endpoint: Endpoint) -> JSON { .string(settings.issuer + endpoint.rawValue) }
        let secrets: JSON = ["client_secret_basic", "client_secret_post"]
        let discovery: JSON = [
            "issuer": .string(settings.issuer),
            "authorization_endpoint": url(.authorization),
            "token_endpoint": url(.token),
            "userinfo_endpoint": url(.userInfo),
            "jwks_uri": url(.keys),
            "revocation_endpoint": url(.revocation),
            "introspection_endpoint": url(.introspection),
            "end_session_endpoint": url(.endSession),
            "scopes_supported": .array(Scope.allCases.map { .string($0.rawValue) }),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "revocation_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "introspection_endpoint_auth_methods_supported": secrets,
            "code_challenge_methods_supported": ["S256"],
            "prompt_values_supported": ["none", "login", "consent", "select_account"],
            "claims_supported": [
                "iss", "sub", "aud", "exp", "iat", "auth_time", "acr", "amr", "nonce", "at_hash", "sid", "name",
                "preferred_username", "email", "email_verified",
            ],
            "acr_values_supported": .array(supportedLevels.map { .string($0.rawValue) }),
            "ui_locales_supported": ["en", "de"],
            "authorization_response_iss_parameter_supported": true,
            "claims_parameter_supported": false,
            "request_parameter_supported": false,
            // Its default is true.
            "request_uri_parameter_supported": false,
        ]
        guard bindsTokens, case .object(var members) = discovery else { return discovery }
        // Source: RFC 9449 §5.1.
        members.append(JSON.Member("dpop_signing_alg_values_supported", [.string(DPoPHeader.algorithm)]))
        return .object(members)
    }

    /// The levels that a person can reach.
    private var supportedLevels: [AuthenticationLevel] {
        engine.app.secondFactor.requirement == .off ? [.aal1] : AuthenticationLevel.allCases
    }

    /// Returns the public keys of ID tokens and of access tokens as one key set. Source: RFC 7517 §5.
    ///
    /// - Throws: `temporarily_unavailable`.
    package func publicKeys() async throws(OAuthError) -> [UInt8] {
        do {
            return try await SigningKeys.publicKeySet(of: keys, at: ports.system.now())
        } catch {
            throw refusal(for: error)
        }
    }
}
