/// Begins a sign-in with a social identity provider such as `google` or `github`.
///
/// Throws ``AuthError/notFound`` for a provider the app does not offer, ``AuthError/notConfigured`` where there is none.
public struct BeginSocialSignIn: AuthOperation {
    public var provider: String

    public init(provider: String) {
        self.provider = provider
    }

    public static let kind = OperationKind.beginSocialSignIn
    public func perform(by service: some AuthService) async throws(AuthError) -> BrowserDestination {
        try await service.beginSocialSignIn(self)
    }
}
