import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

extension ProviderServer {
    /// Answers a request at an endpoint that programs call.
    func answerClient(
        _ endpoint: OpenIDProvider.Endpoint, _ request: WireRequest, from caller: Caller
    ) async -> ServerResponse {
        var caller = caller
        caller.dpopProof = PresentedProof(of: request, url: provider.settings.issuer + request.path)
        do throws(OAuthError) {
            let authorization = request.headers["authorization"]
            switch endpoint {
            case .token:
                let response = OAuthAnswer.tokens(
                    try await provider.token(Self.form(request), authorization: authorization, from: caller))
                return provider.bindsTokens ? response.addingNonce(provider.dpopNonce, to: request) : response
            case .revocation:
                try await provider.revoke(Self.form(request), authorization: authorization, from: caller)
                return ServerResponse(status: 200)
            case .introspection:
                return OAuthAnswer.json(
                    200, try await provider.introspect(Self.form(request), authorization: authorization, from: caller))
            case .userInfo:
                let response = await userInfo(request, from: caller)
                return provider.bindsTokens ? response.addingNonce(provider.dpopNonce, to: request) : response
            case .keys: return OAuthAnswer.document(try await provider.publicKeys())
            case .discovery:
                return OAuthAnswer.document(discoveryDocument.bytes(for: "") { provider.discovery.bytes })
            case .authorization, .endSession: return OAuthAnswer.notFound
            }
        } catch {
            return OAuthAnswer.refusal(error)
        }
    }

    /// Reads parameters from the body alone: a query would appear in logs. Source: RFC 6749 §2.3.1, §3.2.
    private static func form(_ request: WireRequest) throws(OAuthError) -> [String: String] {
        guard let text = ProviderParameters.text(ofFormIn: request) else {
            throw .invalidRequest("The body must be application/x-www-form-urlencoded.")
        }
        guard let form = ProviderParameters.read(text) else {
            throw .invalidRequest("A parameter cannot be read, or comes twice.")
        }
        return form
    }

    /// Accepts the token from the header alone. Source: OpenID Connect Core §5.3, RFC 6750 §2.1, §3.
    private func userInfo(_ request: WireRequest, from caller: Caller) async -> ServerResponse {
        guard request.headers["authorization"] != nil else {
            // No token was presented, so the challenge names no error.
            var response = OAuthAnswer.json(401, ["error": "invalid_token"])
            response.headers["www-authenticate"] = "Bearer"
            return response
        }
        let token = request.accessToken ?? Secret("")
        do throws(OAuthError) {
            return OAuthAnswer.json(200, try await provider.userInfo(token, from: caller))
        } catch {
            if let code = error.dpopCode {
                // At a resource it is 401. Source: RFC 9449 §7.1.
                var response = OAuthAnswer.refusal(error)
                response.status = 401
                response.headers["www-authenticate"] = DPoPHeader.challenge(error: code)
                return response
            }
            var response = OAuthAnswer.refusal(error)
            if error.status == 401 {
                let level =
                    error == .insufficientAuthentication ? ", acr_values=\"\(AuthenticationLevel.aal2.rawValue)\"" : ""
                response.headers["www-authenticate"] = "Bearer error=\"\(error.code)\"\(level)"
            }
            return response
        }
    }
}
