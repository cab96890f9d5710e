package import OstiaryCore
package import OstiaryEngine

/// The settings of a client at an OpenID provider that publishes its metadata.
package struct OpenIDSettings: Sendable {
    package var name: String
    package var title: String
    /// The `auth_provider` of accounts that sign in there.
    package var kind: String
    /// The issuer, compared byte for byte with that of the metadata and of ID tokens.
    package var issuer: String
    package var clientID: String
    package var clientSecret: Secret<String>
    package var scope: String
    /// The hosts, with or without port, that endpoints may have besides the issuer's own.
    package var endpointHosts: [String]
    /// The method of client authentication; nil for the one that the metadata declares.
    package var authentication: ClientAuthentication?
    /// Additional parameters of the authorization request.
    package var parameters: [String: String]
    /// Client ids of apps that obtain ID tokens themselves. If empty, such tokens are refused.
    package var nativeClientIDs: [String]
    /// `true` if this server assesses the risk of sign-ins at the provider.
    package var isAssessed: Bool

    package init(
        name: String, title: String, kind: String = "oidc", issuer: String, clientID: String,
        clientSecret: Secret<String>, scope: String = "openid profile email", endpointHosts: [String] = [],
        authentication: ClientAuthentication? = nil, parameters: [String: String] = [:], nativeClientIDs: [String] = [],
        isAssessed: Bool = false
    ) {
        self.name = name
        self.title = title
        self.kind = kind
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.scope = scope
        self.endpointHosts = endpointHosts
        self.authentication = authentication
        self.parameters = parameters
        self.nativeClientIDs = nativeClientIDs
        self.isAssessed = isAssessed
    }
}

/// Sign-in at any OpenID provider.
package struct OpenIDConnectProvider: IdentityProvider {
    package let description: ProviderDescription
    private let flow: OpenIDFlow

    /// Creates the provider without sending a request.
    package init(_ settings: OpenIDSettings, client: UpstreamClient, system: SystemDependencies) {
        description = ProviderDescription(
            name: settings.name, kind: settings.kind, title: settings.title, issuer: settings.issuer,
            isAssessed: settings.isAssessed)
        let metadata = OpenIDFlow.discovery(
            issuer: settings.issuer, hosts: settings.endpointHosts, client: client, system: system)
        flow = OpenIDFlow(
            issuer: settings.issuer, clientID: settings.clientID, clientSecret: { settings.clientSecret },
            authentication: settings.authentication, scope: settings.scope,
            parameters: settings.parameters.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) },
            nativeAudiences: settings.nativeClientIDs.isEmpty ? nil : [settings.clientID] + settings.nativeClientIDs,
            wantedClaims: ["email", "name", "preferred_username"], client: client, system: system,
            metadata: metadata, keys: OpenIDFlow.keys(metadata, client: client, system: system))
    }

    package func authorizationURL(for request: AuthorizationRequest) async throws -> String {
        try await flow.authorizationURL(for: request)
    }

    package func namesIssuer() async throws -> Bool { try await flow.metadata().namesIssuer }

    package func identity(for grant: AuthorizationGrant) async throws -> ProviderIdentity {
        try await flow.identity(for: grant)
    }

    package func identity(fromToken token: Secret<String>, nonce: Secret<String>) async throws -> ProviderIdentity {
        try await flow.identity(fromToken: token, nonce: nonce)
    }
}
