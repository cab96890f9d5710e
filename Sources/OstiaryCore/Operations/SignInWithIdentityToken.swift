/// Opens a session with an ID token that the device obtained from the identity provider directly, for example by Sign
/// in with Apple. Source: OpenID Connect Core §3.1.3.7.
///
/// Throws ``AuthError/identityTokenInvalid`` for a token that is forged, expired, replayed, issued for another app or
/// with another nonce; ``AuthError/notFound`` for a provider that the app does not offer; ``AuthError/notConfigured``
/// if it offers none.
public struct SignInWithIdentityToken: AuthOperation {
    /// The name of the provider that issued the token.
    public var provider: String
    /// The ID token, a JWT.
    public var identityToken: Secret<String>
    /// The nonce that the app generated before the request to the provider. The token carries it, or its SHA-256 in
    /// hexadecimal digits.
    public var nonce: Secret<String>
    /// The user's name, which some providers disclose to the device only. It is trusted for display only, when the
    /// account is created.
    public var fullName: PersonName?

    /// Creates the operation from its parts.
    public init(
        provider: String, identityToken: Secret<String>, nonce: Secret<String>, fullName: PersonName? = nil
    ) {
        self.provider = provider
        self.identityToken = identityToken
        self.nonce = nonce
        self.fullName = fullName
    }

    /// The name of this operation, ``OperationKind/signInWithIdentityToken``.
    public static let kind = OperationKind.signInWithIdentityToken
    /// Calls ``AuthService/signInWithIdentityToken(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> SignedIn {
        try await service.signInWithIdentityToken(self)
    }
}
