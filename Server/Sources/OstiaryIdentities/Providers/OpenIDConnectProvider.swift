package import OstiaryCore
package import OstiaryEngine

/// A client of ours at an OpenID provider that publishes its metadata.
package struct OpenIDSettings: Sendable {
    package var name: String
    package var title: String
    /// What accounts from there have as their `auth_provider`.
    package var kind: String
    /// Compared byte for byte with the metadata's and the ID tokens'.
    package var issuer: String
    package var clientID: String
    package var clientSecret: Secret<String>
    package var scope: String
    /// Hosts, or hosts with ports, that endpoints may have besides the issuer's own.
    package var endpointHosts: [String]
    /// How the secret is shown; nil for what the metadata say.
    package var authentication: ClientAuthentication?
    /// Sent along to the authorization endpoint.
    package var parameters: [String: String]
    /// Client ids of apps that get ID tokens by themselves. Empty for none: such tokens are then not taken.
    package var nativeClientIDs: [String]

    package init(
        name: String, title: String, kind: String = "oidc", issuer: String, clientID: String,
        clientSecret: Secret<String>, scope: String = "openid profile email", endpointHosts: [String] = [],
        authentication: ClientAuthentication? = nil, parameters: [String: String] = [:], nativeClientIDs: [String] = []
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
    }
}

/// Sign-in at any OpenID provider.
package struct OpenIDConnectProvider: IdentityProvider {
    package let description: ProviderDescription
    private let flow: OpenIDFlow

    /// Reaches nothing yet.
    package init(_ settings: OpenIDSettings, client: UpstreamClient, surroundings: Surroundings) {
        description = ProviderDescription(
            name: settings.name, kind: settings.kind, title: settings.title, issuer: settings.issuer)
        let metadata = OpenIDFlow.discovery(
            issuer: settings.issuer, hosts: settings.endpointHosts, client: client, surroundings: surroundings)
        flow = OpenIDFlow(
            issuer: settings.issuer, clientID: settings.clientID, clientSecret: { settings.clientSecret },
            authentication: settings.authentication, scope: settings.scope,
            parameters: settings.parameters.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) },
            nativeAudiences: settings.nativeClientIDs.isEmpty ? nil : [settings.clientID] + settings.nativeClientIDs,
            wantedClaims: ["email", "name", "preferred_username"], client: client, surroundings: surroundings,
            metadata: metadata, keys: OpenIDFlow.keys(metadata, client: client, surroundings: surroundings))
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
