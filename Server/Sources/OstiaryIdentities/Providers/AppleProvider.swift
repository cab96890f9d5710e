package import OstiaryCore
package import OstiaryEngine

/// The settings of a client at Apple.
package struct AppleSettings: Sendable {
    package var name: String
    /// The Services ID.
    package var clientID: String
    package var teamID: String
    package var keyID: String
    /// The text of the `.p8` file.
    package var privateKey: Secret<String>
    /// Bundle ids of apps that obtain ID tokens themselves, besides `clientID`.
    package var nativeClientIDs: [String]
    /// Apple's own issuer, except in development.
    package var issuer: String

    package init(
        name: String = "apple", clientID: String, teamID: String, keyID: String, privateKey: Secret<String>,
        nativeClientIDs: [String] = [], issuer: String = "https://appleid.apple.com"
    ) {
        self.name = name
        self.clientID = clientID
        self.teamID = teamID
        self.keyID = keyID
        self.privateKey = privateKey
        self.nativeClientIDs = nativeClientIDs
        self.issuer = issuer
    }
}

/// Sign in with Apple. The browser returns with a form post, since name or email are requested.
///
/// Source: Apple, "Sign in with Apple REST API". According to it `email_verified` may be a string; such an address
/// counts as unverified here, as with every provider.
package struct AppleProvider: IdentityProvider {
    package let description: ProviderDescription
    private let flow: OpenIDFlow

    /// Creates the provider without sending a request.
    ///
    /// - Throws: ``InvalidProviderSetting`` if the private key cannot be read.
    package init(
        _ settings: AppleSettings, client: UpstreamClient, system: SystemDependencies
    ) throws(InvalidProviderSetting) {
        description = ProviderDescription(name: settings.name, kind: "apple", title: "Apple")
        let secret = try AppleClientSecret(settings)
        let metadata = OpenIDFlow.discovery(
            issuer: settings.issuer, hosts: [], client: client, system: system)
        flow = OpenIDFlow(
            issuer: settings.issuer, clientID: settings.clientID,
            clientSecret: { try secret.text(at: system.now()) }, authentication: .post, scope: "name email",
            parameters: [(name: "response_mode", value: "form_post")],
            nativeAudiences: [settings.clientID] + settings.nativeClientIDs, hashesNativeNonces: true,
            client: client, system: system, metadata: metadata,
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
