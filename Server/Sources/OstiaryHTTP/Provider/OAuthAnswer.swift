import OstiaryContracts
import OstiaryCore
import OstiaryProvider

/// The responses to OAuth clients. Source: RFC 6749 §5.1, §5.2.
enum OAuthAnswer {
    static let notFound = json(404, ["error": "not_found"])

    static func wrongMethod(_ allowed: [String]) -> ServerResponse {
        var response = json(405, ["error": "method_not_allowed"])
        response.headers["allow"] = allowed.joined(separator: ", ")
        return response
    }

    static func json(_ status: Int, _ value: JSON) -> ServerResponse {
        ServerResponse(
            status: status, headers: ["content-type": "application/json", "cache-control": "no-store"],
            body: value.bytes)
    }

    /// A public JSON document, cacheable for 5 minutes.
    static func document(_ body: [UInt8]) -> ServerResponse {
        ServerResponse(
            status: 200, headers: ["content-type": "application/json", "cache-control": "public, max-age=300"],
            body: body)
    }

    /// A client that failed to authenticate is not challenged with `Basic`, which RFC 6749 §5.2 requires: URLSession on
    /// Linux waits indefinitely for credentials that answer such a challenge.
    static func refusal(_ error: OAuthError) -> ServerResponse {
        var members = [
            JSON.Member("error", .string(error.code)), JSON.Member("error_description", .string(error.text)),
        ]
        if let incident = error.incident { members.append(JSON.Member("incident", .string(incident))) }
        var response = json(error.status, .object(members))
        response.headers[DPoPHeader.nonce] = error.nonce
        if let seconds = error.retryAfterSeconds { response.headers["retry-after"] = "\(seconds)" }
        return response
    }

    static func tokens(_ answer: TokenAnswer) -> ServerResponse {
        var members = [
            JSON.Member("access_token", .string(answer.accessToken.reveal())),
            JSON.Member("token_type", .string(answer.isBound ? Tokens.boundType : Tokens.type)),
            JSON.Member("expires_in", .integer(answer.expiresInSeconds)),
            JSON.Member("id_token", .string(answer.idToken.reveal())), JSON.Member("scope", .string(answer.scope)),
        ]
        if let token = answer.refreshToken { members.append(JSON.Member("refresh_token", .string(token.reveal()))) }
        return json(200, .object(members))
    }
}
