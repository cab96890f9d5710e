import OstiaryContracts
package import OstiaryCore
package import OstiaryEngine

/// The settings of a client at GitHub.
package struct GitHubSettings: Sendable {
    package var name: String
    package var clientID: String
    package var clientSecret: Secret<String>
    /// The base URL of the sign-in pages; GitHub's own, except in development.
    package var baseURL: String
    package var apiURL: String

    package init(
        name: String = "github", clientID: String, clientSecret: Secret<String>, baseURL: String = "https://github.com",
        apiURL: String = "https://api.github.com"
    ) {
        self.name = name
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.baseURL = baseURL
        self.apiURL = apiURL
    }
}

/// Sign-in at GitHub, which supports OAuth 2.0 without ID tokens: the identity comes from its API.
///
/// Source: GitHub, "Authorizing OAuth apps", "REST API endpoints for users".
package struct GitHubProvider: IdentityProvider {
    /// The issuer of accounts that sign in at GitHub.
    package static let issuer = "https://github.com"

    package let description: ProviderDescription
    private let authorization: UpstreamURL
    private let token: TokenEndpoint
    private let api: GitHubAPI

    /// Creates the provider without sending a request.
    ///
    /// - Throws: ``InvalidProviderSetting`` if a base is not a URL.
    package init(
        _ settings: GitHubSettings, client: UpstreamClient, system: SystemDependencies
    ) throws(InvalidProviderSetting) {
        guard let authorization = UpstreamURL("\(settings.baseURL)/login/oauth/authorize"), !authorization.hasQuery,
            let token = UpstreamURL("\(settings.baseURL)/login/oauth/access_token"),
            let user = UpstreamURL("\(settings.apiURL)/user"), !user.hasQuery,
            let emails = UpstreamURL("\(settings.apiURL)/user/emails")
        else { throw InvalidProviderSetting("needs URLs that begin with https://") }
        description = ProviderDescription(name: settings.name, kind: "github", title: "GitHub")
        self.authorization = authorization
        self.token = TokenEndpoint(
            url: token, client: client, clientID: settings.clientID, clientSecret: settings.clientSecret,
            authentication: .post)
        api = GitHubAPI(user: user, emails: emails, client: client)
    }

    package func authorizationURL(for request: AuthorizationRequest) async throws -> String {
        URLQuery.append(
            [
                (name: "response_type", value: "code"), (name: "client_id", value: token.clientID),
                (name: "redirect_uri", value: request.redirectURI),
                // The narrowest scope that gives access to the addresses; the identity needs no scope.
                (name: "scope", value: "user:email"), (name: "state", value: request.state.reveal()),
                (name: "code_challenge", value: request.codeChallenge),
                (name: "code_challenge_method", value: "S256"),
            ], to: authorization.text)
    }

    package func identity(for grant: AuthorizationGrant) async throws -> ProviderIdentity {
        try await token.client.withOperationDeadline(token.url.text) {
            guard case .string(let accessToken)? = try await token.redeem(grant)["access_token"],
                let headers = bearer(Secret(accessToken))
            else { throw IdentityProviderRefusal.codeRefused }
            return try await api.identity(headers)
        }
    }

    package func identity(fromToken token: Secret<String>, nonce: Secret<String>) async throws -> ProviderIdentity {
        throw IdentityProviderRefusal.notOffered
    }
}
