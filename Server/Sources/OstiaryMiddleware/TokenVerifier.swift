public import OstiaryCore

/// Tells whose access token a request carries.
public protocol TokenVerifier: Sendable {
    /// - Throws: ``AuthError/invalidAccessToken`` and its like for a token that is no good;
    ///   ``AuthError/unavailable(incident:)`` if it cannot be told, in which case nobody is let through.
    func user(of accessToken: Secret<String>) async throws(AuthError) -> AuthenticatedUser
}
