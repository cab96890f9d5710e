package import OstiaryCore
package import OstiaryEngine

/// The configuration of the built-in provider.
package struct ProviderSettings: Hashable, Sendable {
    /// The issuer, such as `https://auth.example.com/idp`; equals the tokens' `iss` byte for byte.
    package var issuer: String
    package var clients: [ProviderClient]
    /// `true` if the provider simulates social providers for development: `connection=google-oauth2` asks for a name
    /// and an address, and accepts them without proof.
    package var mocksConnections: Bool
    /// `true` if unauthenticated users can register accounts.
    package var isRegistrationOpen: Bool
    /// `true` if the tokens of clients that prove a key are bound to it.
    package var bindsTokens: Bool

    package init(
        issuer: String, clients: [ProviderClient], mocksConnections: Bool = false, isRegistrationOpen: Bool = true,
        bindsTokens: Bool = false
    ) {
        self.issuer = issuer
        self.clients = clients
        self.mocksConnections = mocksConnections
        self.isRegistrationOpen = isRegistrationOpen
        self.bindsTokens = bindsTokens
    }
}

/// An app that signs users in at the built-in provider.
package struct ProviderClient: Hashable, Sendable {
    /// `client_id`
    package var id: String
    /// The client's name as users see it.
    package var name: String
    /// Nil for a public client, which cannot keep a secret and must use PKCE.
    package var secret: Secret<String>?
    package var redirectURIs: RedirectURIs
    package var postLogoutRedirectURIs: RedirectURIs
    /// `true` if users are not asked for their consent, because provider and client have the same operator. Without
    /// interaction the client gets a code only if its identity is assured.
    package var isFirstParty: Bool
    /// `true` for the operator's console, whose sessions have rules of their own.
    package var isConsole = false
    /// The limit of the requests that the client authenticates; without effect for a public client.
    package var rateLimit: RateLimit
    /// The origins and URL schemes that the redirect URI may redirect to: browsers require that a page allow the whole
    /// redirect chain. Source: CSP Level 3 §6.4.2 (form-action).
    package var leadsTo: [String]

    package init(
        id: String, name: String, secret: Secret<String>? = nil, redirectURIs: RedirectURIs,
        postLogoutRedirectURIs: RedirectURIs = RedirectURIs([]), isFirstParty: Bool = false,
        rateLimit: RateLimit = RateLimits.clientDefault, leadsTo: [String] = []
    ) {
        self.id = id
        self.name = name
        self.secret = secret
        self.redirectURIs = redirectURIs
        self.postLogoutRedirectURIs = postLogoutRedirectURIs
        self.isFirstParty = isFirstParty
        self.rateLimit = rateLimit
        self.leadsTo = leadsTo
    }
}
