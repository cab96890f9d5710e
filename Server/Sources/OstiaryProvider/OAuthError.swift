package import OstiaryCore
import OstiaryEngine

/// An error response of an endpoint for clients. Source: RFC 6749 §5.2, RFC 6750 §3.1.
package struct OAuthError: Error, Hashable, Sendable {
    package var status: Int
    /// `error`
    package var code: String
    /// `error_description`: for developers, in English; contains nothing of the request.
    package var text: String
    /// The value of `Retry-After`, in seconds.
    package var retryAfterSeconds: Int?
    /// The id under which an unexpected failure was logged.
    package var incident: String?
    /// The nonce with which the request is to be repeated. Source: RFC 9449 §8.
    package var nonce: String?

    init(_ status: Int, _ code: String, _ text: String, retryAfterSeconds: Int? = nil, incident: String? = nil) {
        self.status = status
        self.code = code
        self.text = text
        self.retryAfterSeconds = retryAfterSeconds
        self.incident = incident
    }

    package static func invalidRequest(_ text: String) -> OAuthError { OAuthError(400, "invalid_request", text) }
    /// Unknown client, wrong secret or wrong authentication method, without distinction.
    static let invalidClient = OAuthError(401, "invalid_client", "The client could not be authenticated.")
    /// Wrong, expired or spent grant, or one of another client, without distinction.
    static let invalidGrant = OAuthError(400, "invalid_grant", "The grant is not valid.")
    static let unsupportedGrantType = OAuthError(
        400, "unsupported_grant_type", "The grant types are authorization_code and refresh_token.")
    static let invalidScope = OAuthError(400, "invalid_scope", "The scope was not granted.")
    /// The proof of possession is missing or not valid, without distinction. Source: RFC 9449 §5.
    package static let invalidDPoPProof = OAuthError(
        400, "invalid_dpop_proof", "The DPoP proof is missing or not valid.")

    /// The proof lacks a current nonce. Source: RFC 9449 §8.
    static func useDPoPNonce(_ nonce: String) -> OAuthError {
        var error = OAuthError(400, "use_dpop_nonce", "The DPoP proof needs a current nonce.")
        error.nonce = nonce
        return error
    }

    static let invalidToken = OAuthError(401, "invalid_token", "The access token is not valid.")

    /// The session has a lower level than its account must have. Source: RFC 9470 §3.
    package static let insufficientAuthentication = OAuthError(
        401, "insufficient_user_authentication", "The person must sign in with a second factor.")

    /// The code of an error about the proof of possession; nil for any other error.
    package var dpopCode: String? { nonce != nil || self == .invalidDPoPProof ? code : nil }

    /// Creates the client's error for a refusal of the engine.
    package init(_ refusal: AuthError) {
        switch refusal {
        case .tooManyAttempts(let seconds), .busy(let seconds):
            self.init(
                429, "temporarily_unavailable", "Too many requests.", retryAfterSeconds: seconds)
        case .unavailable(let incident):
            self.init(
                503, "temporarily_unavailable", "The provider cannot answer now.", retryAfterSeconds: 5,
                incident: incident)
        case .invalidDPoPProof, .dpopRequired: self = .invalidDPoPProof
        case .useDPoPNonce(let nonce): self = .useDPoPNonce(nonce)
        case .stepUpRequired: self = .insufficientAuthentication
        default: self = .invalidGrant
        }
    }
}

extension OpenIDProvider {
    /// Maps a failure at an endpoint for clients to its error response; the only place that does. Reports the cause of
    /// an unexpected one.
    func refusal(for error: any Error) -> OAuthError {
        if let refusal = error as? OAuthError { return refusal }
        if let refusal = error as? AuthError { return OAuthError(refusal) }
        return OAuthError(.unavailable(incident: ports.report(error)))
    }
}
