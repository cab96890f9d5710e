package import OstiaryCore
package import OstiaryEngine

/// A client of ours at Auth0.
package struct Auth0Settings: Sendable {
    package var name: String
    package var title: String
    /// What the endpoints' paths are appended to, without a slash at the end.
    package var baseURL: String
    /// Compared byte for byte with the ID tokens'.
    package var issuer: String
    package var clientID: String
    package var clientSecret: Secret<String>
    /// The identifier of an API; empty for none.
    package var audience: String
    /// What Auth0 calls the services people can choose from, by ours.
    package var connections: [String: String]

    package static let standardConnections = ["google": "google-oauth2", "github": "github"]

    /// - Parameter domain: A host name, or in development a full URL.
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

    /// For what stands in for Auth0 and is an issuer of its own.
    package init(
        name: String = "auth0", title: String = "Auth0", baseURL: String, issuer: String, clientID: String,
        clientSecret: Secret<String>, audience: String = "", connections: [String: String] = standardConnections
    ) {
        self.name = name
        self.title = title
        self.baseURL = baseURL
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.audience = audience
        self.connections = connections
    }
}

/// Sign-in at Auth0, whose endpoints are known without asking.
///
/// The subject always begins with `auth0|`, followed by Auth0's own without a second one.
package struct Auth0Provider: IdentityProvider {
    package let description: ProviderDescription
    private let flow: OpenIDFlow

    /// Reaches nothing yet.
    ///
    /// - Throws: ``InvalidProviderSetting`` if the base is no URL.
    package init(
        _ settings: Auth0Settings, client: UpstreamClient, surroundings: Surroundings
    ) throws(InvalidProviderSetting) {
        guard let authorization = UpstreamURL("\(settings.baseURL)/authorize"), !authorization.hasQuery,
            let token = UpstreamURL("\(settings.baseURL)/oauth/token"),
            let keySet = UpstreamURL("\(settings.baseURL)/.well-known/jwks.json")
        else { throw InvalidProviderSetting("needs a host name, for example tenant.auth0.com") }
        description = ProviderDescription(
            name: settings.name, kind: "auth0", title: settings.title, returnsToApp: true,
            connections: settings.connections)
        let metadata = ProviderMetadata(authorization: authorization, token: token, keySet: keySet)
        flow = OpenIDFlow(
            issuer: settings.issuer, clientID: settings.clientID, clientSecret: { settings.clientSecret },
            authentication: .post, scope: "openid profile email",
            parameters: settings.audience.isEmpty ? [] : [(name: "audience", value: settings.audience)],
            client: client, surroundings: surroundings, metadata: { metadata },
            keys: OpenIDFlow.keys({ metadata }, client: client, surroundings: surroundings))
    }

    package func authorizationURL(for request: AuthorizationRequest) async throws -> String {
        var flow = flow
        if let connection = request.connection { flow.parameters.append((name: "connection", value: connection)) }
        return try await flow.authorizationURL(for: request)
    }

    package func identity(for grant: AuthorizationGrant) async throws -> ProviderIdentity {
        var identity = try await flow.identity(for: grant)
        if !identity.subject.utf8.starts(with: "auth0|".utf8) { identity.subject = "auth0|\(identity.subject)" }
        guard IDTokenCheck.isSubject(identity.subject) else { throw IdentityProviderRefusal.tokenInvalid }
        return identity
    }

    package func identity(fromToken token: Secret<String>, nonce: Secret<String>) async throws -> ProviderIdentity {
        throw IdentityProviderRefusal.notOffered
    }
}
