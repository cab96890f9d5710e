public import OstiaryCore

/// Tells whose access token a request carries.
public protocol TokenVerifier: Sendable {
    /// - Throws: ``AuthError/invalidAccessToken`` and its like for a token that is no good;
    ///   ``AuthError/unavailable(incident:)`` if it cannot be told, in which case nobody is let through.
    func user(of accessToken: Secret<String>) async throws(AuthError) -> AuthenticatedUser

    /// The same for a request that may be signed.
    ///
    /// - Throws: ``AuthError/signatureRefused`` too, where the signature is no good, or missing where the app requires one.
    func user(of accessToken: Secret<String>, asking request: AskedRequest) async throws(AuthError) -> AuthenticatedUser
}

extension TokenVerifier {
    /// Looks at no signature.
    public func user(
        of accessToken: Secret<String>, asking request: AskedRequest
    ) async throws(AuthError) -> AuthenticatedUser {
        try await user(of: accessToken)
    }
}
