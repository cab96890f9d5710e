package import OstiaryCore
package import OstiaryEngine

/// The settings of a client at Auth0.
package struct Auth0Settings: Sendable {
    package var name: String
    package var title: String
    /// The base URL of the endpoints, without a slash at the end.
    package var baseURL: String
    /// The issuer, compared byte for byte with that of ID tokens.
    package var issuer: String
    package var clientID: String
    package var clientSecret: Secret<String>
    /// The identifier of an API; empty for none.
    package var audience: String
    /// Auth0's connection names of the services that users can choose from, by this server's names.
    package var connections: [String: String]
    /// `true` if this server assesses the risk of sign-ins at the provider.
    package var isAssessed: Bool

    package static let standardConnections = ["google": "google-oauth2", "github": "github"]

    /// - Parameter domain: A host name, or in development a complete URL.
    package init(
        name: String = "auth0", title: String = "Auth0", domain: String, clientID: String, clientSecret: Secret<String>,
        audience: String = "", connections: [String: String] = standardConnections
    ) {
        var base = domain.contains("://") ? domain : "https://\(domain)"
        if base.utf8.last == UInt8(ascii: "/") { base.removeLast() }
        self.init(
            name: name, title: title, baseURL: base, issuer: "\(base)/", clientID: clientID, clientSecret: clientSecret,
            audience: audience, connections: connections)
    }

    /// Creates the settings of an emulator of Auth0 that is an issuer of its own.
    package init(
        name: String = "auth0", title: String = "Auth0", baseURL: String, issuer: String, clientID: String,
        clientSecret: Secret<String>, audience: String = "", connections: [String: String] = standardConnections,
        isAssessed: Bool = false
    ) {
        self.name = name
        self.title = title
        self.baseURL = baseURL
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.audience = audience
        self.connections = connections
        self.isAssessed = isAssessed
    }
}

/// Sign-in at Auth0, whose endpoints are known without discovery.
///
/// The subject always begins with `auth0|`, which is added in front of an Auth0 subject that lacks it.
package struct Auth0Provider: IdentityProvider {
    /// The value of `ProviderDescription.returnsToApp`, which does not depend on the settings.
    package static let returnsToApp = true

    package let description: ProviderDescription
    private let flow: OpenIDFlow

    /// Creates the provider without sending a request.
    ///
    /// - Throws: ``InvalidProviderSetting`` if the base is not a URL.
    package init(
        _ settings: Auth0Settings, client: UpstreamClient, system: SystemDependencies
    ) throws(InvalidProviderSetting) {
        guard let authorization = UpstreamURL("\(settings.baseURL)/authorize"), !authorization.hasQuery,
            let token = UpstreamURL("\(settings.baseURL)/oauth/token"),
            let keySet = UpstreamURL("\(settings.baseURL)/.well-known/jwks.json")
        else { throw InvalidProviderSetting("needs a host name, for example tenant.auth0.com") }
        description = ProviderDescription(
            name: settings.name, kind: "auth0", title: settings.title, returnsToApp: Self.returnsToApp,
            connections: settings.connections, isAssessed: settings.isAssessed)
        let metadata = ProviderMetadata(authorization: authorization, token: token, keySet: keySet)
        flow = OpenIDFlow(
            issuer: settings.issuer, clientID: settings.clientID, clientSecret: { settings.clientSecret },
            authentication: .post, scope: "openid profile email",
            parameters: settings.audience.isEmpty ? [] : [(name: "audience", value: settings.audience)],
            client: client, system: system, metadata: { metadata },
            keys: OpenIDFlow.keys({ metadata }, client: client, system: system))
    }

    package func authorizationURL(for request: AuthorizationRequest) async throws -> String {
        var flow = flow
        if let connection = request.connection { flow.parameters.append((name: "connection", value: connection)) }
        return try await flow.authorizationURL(for: request)
    }

    package func identity(for grant: AuthorizationGrant) async throws -> ProviderIdentity {
        var identity = try await flow.identity(for: grant)
        if !identity.subject.utf8.starts(with: "auth0|".utf8) { identity.subject = "auth0|\(identity.subject)" }
        guard ProviderSubject.isValid(identity.subject) else { throw IdentityProviderRefusal.tokenInvalid }
        return identity
    }

    package func identity(fromToken token: Secret<String>, nonce: Secret<String>) async throws -> ProviderIdentity {
        throw IdentityProviderRefusal.notOffered
    }
}
