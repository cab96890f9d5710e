/// Asks for the public settings of the app's social identity provider.
///
/// Throws ``AuthError/notConfigured`` where there is none.
public struct GetSocialConfiguration: AuthOperation {

    public init() {}

    public static let kind = OperationKind.socialConfiguration
    public func perform(by service: some AuthService) async throws(AuthError) -> SocialConfiguration {
        try await service.socialConfiguration(self)
    }
}

/// The public settings of a social identity provider. Nothing in it is a secret.
public struct SocialConfiguration: Hashable, Sendable {
    public var domain: String
    public var clientID: String
    public var audience: String

    public init(domain: String, clientID: String, audience: String) {
        self.domain = domain
        self.clientID = clientID
        self.audience = audience
    }
}
