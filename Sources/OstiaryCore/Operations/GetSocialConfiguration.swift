/// Returns the public settings of the app's social identity provider.
///
/// Throws ``AuthError/notConfigured`` if there is none.
public struct GetSocialConfiguration: AuthOperation {

    /// Creates the operation, which has no parameters.
    public init() {}

    /// The name of this operation, ``OperationKind/socialConfiguration``.
    public static let kind = OperationKind.socialConfiguration
    /// Calls ``AuthService/socialConfiguration(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> SocialConfiguration {
        try await service.socialConfiguration(self)
    }
}

/// The public settings of a social identity provider. None of them is a secret.
public struct SocialConfiguration: Hashable, Sendable {
    /// The domain of the provider's tenant, or the issuer of a provider without tenants.
    public var domain: String
    /// The app's client identifier at the provider.
    public var clientID: String
    /// The identifier of the API that the provider issues access tokens for.
    public var audience: String

    /// Creates settings from their parts.
    public init(domain: String, clientID: String, audience: String) {
        self.domain = domain
        self.clientID = clientID
        self.audience = audience
    }
}
