#if Hummingbird
public import OstiaryCore

/// Authenticates the access token that a request carries.
public protocol TokenVerifier: Sendable {
    /// Returns the user of an access token.
    ///
    /// - Throws: `AuthError.invalidAccessToken` or a similar refusal for a token that is not valid;
    ///   `AuthError.unavailable(incident:)` if that cannot be determined, in which case no request is admitted.
    func user(of accessToken: Secret<String>) async throws(AuthError) -> AuthenticatedUser

    /// Returns the user of an access token, and verifies the signature of a request that may be signed.
    ///
    /// - Throws: In addition `AuthError.signatureRefused` if the signature is invalid, or missing where the app
    ///   requires one.
    func user(of accessToken: Secret<String>, asking request: ReceivedRequest) async throws(AuthError)
        -> AuthenticatedUser
}

extension TokenVerifier {
    /// Returns the user of the access token without verifying a signature.
    public func user(
        of accessToken: Secret<String>, asking request: ReceivedRequest
    ) async throws(AuthError) -> AuthenticatedUser {
        try await user(of: accessToken)
    }
}
#endif
