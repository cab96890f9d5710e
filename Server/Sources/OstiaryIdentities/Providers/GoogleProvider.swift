package import OstiaryCore
package import OstiaryEngine

/// The settings of a client at Google.
package struct GoogleSettings: Sendable {
    package var name: String
    package var clientID: String
    package var clientSecret: Secret<String>
    /// Client ids of apps that obtain ID tokens themselves, besides `clientID`.
    package var nativeClientIDs: [String]
    /// Google's own issuer, except in development.
    package var issuer: String

    package init(
        name: String = "google", clientID: String, clientSecret: Secret<String>, nativeClientIDs: [String] = [],
        issuer: String = "https://accounts.google.com"
    ) {
        self.name = name
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.nativeClientIDs = nativeClientIDs
        self.issuer = issuer
    }
}

/// Sign-in at Google. Source: Google, "OpenID Connect".
package struct GoogleProvider: IdentityProvider {
    package let description: ProviderDescription
    private let flow: OpenIDFlow

    /// Creates the provider without sending a request.
    package init(_ settings: GoogleSettings, client: UpstreamClient, system: SystemDependencies) {
        description = ProviderDescription(name: settings.name, kind: "google", title: "Google", issuer: settings.issuer)
        let metadata = OpenIDFlow.discovery(
            issuer: settings.issuer,
            hosts: ["oauth2.googleapis.com", "www.googleapis.com", "openidconnect.googleapis.com"], client: client,
            system: system)
        flow = OpenIDFlow(
            issuer: settings.issuer,
            // Some of Google's libraries obtain tokens with the older spelling. No other provider may have two issuers.
            otherIssuers: settings.issuer == "https://accounts.google.com" ? ["accounts.google.com"] : [],
            clientID: settings.clientID, clientSecret: { settings.clientSecret }, scope: "openid profile email",
            nativeAudiences: [settings.clientID] + settings.nativeClientIDs, client: client,
            system: system, metadata: metadata,
            keys: OpenIDFlow.keys(metadata, client: client, system: system))
    }

    package func authorizationURL(for request: AuthorizationRequest) async throws -> String {
        try await flow.authorizationURL(for: request)
    }

    package func identity(for grant: AuthorizationGrant) async throws -> ProviderIdentity {
        try await flow.identity(for: grant)
    }

    package func identity(fromToken token: Secret<String>, nonce: Secret<String>) async throws -> ProviderIdentity {
        try await flow.identity(fromToken: token, nonce: nonce)
    }
}
