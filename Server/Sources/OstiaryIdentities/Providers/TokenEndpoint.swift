import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// Redeems authorization codes. Source: RFC 6749 §4.1.3, §5.
struct TokenEndpoint: Sendable {
    var url: UpstreamURL
    var client: UpstreamClient
    var clientID: String
    var clientSecret: Secret<String>
    var authentication: ClientAuthentication

    /// The error codes for a client that the provider refuses, a problem that the user cannot solve.
    private static let clientErrors = ["invalid_client", "unauthorized_client", "incorrect_client_credentials"]

    /// Redeems an authorization code.
    ///
    /// - Returns: The JSON object of the answer.
    /// - Throws: ``IdentityProviderRefusal``; ``UpstreamProblem``; `CancellationError`.
    func redeem(_ grant: AuthorizationGrant) async throws -> JSON {
        var fields = [
            (name: "grant_type", value: "authorization_code"), (name: "code", value: grant.code.reveal()),
            (name: "redirect_uri", value: grant.redirectURI),
            (name: "code_verifier", value: grant.codeVerifier.reveal()),
        ]
        var headers = [(name: "Content-Type", value: "application/x-www-form-urlencoded")]
        switch authentication {
        case .post:
            fields += [(name: "client_id", value: clientID), (name: "client_secret", value: clientSecret.reveal())]
        case .basic:
            let pair = "\(PercentEncoding.encode(clientID)):\(PercentEncoding.encode(clientSecret.reveal()))"
            headers.append((name: "Authorization", value: "Basic \(Data(pair.utf8).base64EncodedString())"))
        }
        let answer = try await client.send(
            UpstreamRequest(.post, url.text, headers: headers, body: Array(URLQuery.encode(fields).utf8)))
        return try members(of: answer)
    }

    private func members(of answer: UpstreamResponse) throws -> JSON {
        let body = try? JSON.read(answer.body)
        // Auth0 answers a wrong code with 403.
        guard [200, 400, 401, 403].contains(answer.status) else { throw refusal(of: answer) }
        guard let body, case .object = body else {
            throw answer.status == 200
                ? UpstreamProblem.unexpectedAnswer(origin: url.origin, reason: "the token answer is no JSON object")
                : refusal(of: answer)
        }
        if case .string(let error)? = body["error"] {
            if Self.clientErrors.contains(error) { throw UpstreamProblem.clientRefused(origin: url.origin) }
            throw IdentityProviderRefusal.codeRefused
        }
        guard answer.status == 200 else { throw refusal(of: answer) }
        return body
    }

    private func refusal(of answer: UpstreamResponse) -> any Error { answer.refusal(origin: url.origin) }
}

extension UpstreamResponse {
    /// Returns the error for a status that the protocol does not define.
    func refusal(origin: String) -> any Error {
        guard status == 429 else { return UpstreamProblem.status(status, origin: origin) }
        let seconds = header("Retry-After").flatMap { Int($0) } ?? 10
        return IdentityProviderRefusal.throttled(retryAfterSeconds: min(max(seconds, 1), 3600))
    }
}
