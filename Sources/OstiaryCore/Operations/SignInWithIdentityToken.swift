/// Signs a person in with an ID token that the device got from the identity provider itself, for example by Sign in with
/// Apple. Source: OpenID Connect Core §3.1.3.7.
///
/// Throws ``AuthError/identityTokenInvalid`` for a token that is forged, expired, used before, for another app or another
/// nonce; ``AuthError/notFound`` for a provider the app does not offer; ``AuthError/notConfigured`` where there is none.
public struct SignInWithIdentityToken: AuthOperation {
    public var provider: String
    public var identityToken: Secret<String>
    /// What the app made up before it asked the provider. The token carries it, or its SHA-256 in hexadecimal digits.
    public var nonce: Secret<String>
    /// The person's name, which some providers tell the device alone. Believed for display, when the account is made.
    public var fullName: PersonName?

    public init(
        provider: String, identityToken: Secret<String>, nonce: Secret<String>, fullName: PersonName? = nil
    ) {
        self.provider = provider
        self.identityToken = identityToken
        self.nonce = nonce
        self.fullName = fullName
    }

    public static let kind = OperationKind.signInWithIdentityToken
    public func perform(by service: some AuthService) async throws(AuthError) -> SignedIn {
        try await service.signInWithIdentityToken(self)
    }
}
