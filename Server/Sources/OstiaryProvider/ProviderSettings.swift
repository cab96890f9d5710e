package import OstiaryCore
package import OstiaryEngine

/// What is configured of the built-in provider.
package struct ProviderSettings: Hashable, Sendable {
    /// `https://auth.example.com/idp`, to the byte what tokens name as their issuer.
    package var issuer: String
    package var clients: [ProviderClient]
    /// Whether it plays social providers for development: `connection=google-oauth2` asks for a name and an address, and
    /// believes them.
    package var playsConnections: Bool
    /// Whether strangers can make accounts.
    package var isRegistrationOpen: Bool

    package init(
        issuer: String, clients: [ProviderClient], playsConnections: Bool = false, isRegistrationOpen: Bool = true
    ) {
        self.issuer = issuer
        self.clients = clients
        self.playsConnections = playsConnections
        self.isRegistrationOpen = isRegistrationOpen
    }
}

/// An app that signs people in at the built-in provider.
package struct ProviderClient: Hashable, Sendable {
    /// `client_id`
    package var id: String
    /// What people are told they sign in to.
    package var name: String
    /// Nil for a public client, which cannot keep one and must use PKCE.
    package var secret: Secret<String>?
    package var redirectURIs: RedirectURIs
    package var postLogoutRedirectURIs: RedirectURIs
    /// Whether people are not asked for their consent, because provider and client are one house.
    package var isFirstParty: Bool
    /// Where the redirect URI may send the browser on to: browsers ask that a page allow the whole chain.
    /// Source: CSP Level 3 §6.4.2 (form-action).
    package var leadsTo: [String]

    package init(
        id: String, name: String, secret: Secret<String>? = nil, redirectURIs: RedirectURIs,
        postLogoutRedirectURIs: RedirectURIs = RedirectURIs([]), isFirstParty: Bool = false, leadsTo: [String] = []
    ) {
        self.id = id
        self.name = name
        self.secret = secret
        self.redirectURIs = redirectURIs
        self.postLogoutRedirectURIs = postLogoutRedirectURIs
        self.isFirstParty = isFirstParty
        self.leadsTo = leadsTo
    }
}
