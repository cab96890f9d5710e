/// Begins a sign-in with a social identity provider such as `google` or `github`.
///
/// Throws ``AuthError/notFound`` for a provider that the app does not offer, ``AuthError/notConfigured`` if it offers
/// none.
public struct BeginSocialSignIn: AuthOperation {
    /// The name of the provider.
    public var provider: String

    /// Creates the operation from its parts.
    public init(provider: String) {
        self.provider = provider
    }

    /// The name of this operation, ``OperationKind/beginSocialSignIn``.
    public static let kind = OperationKind.beginSocialSignIn
    /// Calls ``AuthService/beginSocialSignIn(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> BrowserDestination {
        try await service.beginSocialSignIn(self)
    }
}
