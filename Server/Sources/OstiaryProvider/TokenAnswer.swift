package import OstiaryCore

/// The response of the token endpoint. Source: RFC 6749 §5.1, OpenID Connect Core §3.1.3.3.
package struct TokenAnswer: Hashable, Sendable {
    package var accessToken: Secret<String>
    package var expiresInSeconds: Int
    /// Nil unless the client asked for `offline_access`.
    package var refreshToken: Secret<String>?
    package var idToken: Secret<String>
    package var scope: String
    /// `true` if the tokens are bound to a key. Source: RFC 9449 §5.
    package var isBound: Bool
}
