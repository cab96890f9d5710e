package import OstiaryCore
package import OstiaryEngine

/// The built-in OpenID provider at `/idp`.
package struct ProviderConfiguration: Sendable {
    /// The name that its pages show.
    package var name: String
    /// The colour of its pages, `#rrggbb`; nil for the default.
    package var color: String?
    package var language = MessageLanguage.english
    package var registration: Registration
    package var secondFactor = SecondFactorPolicy()
    /// The reactions to the risk of a sign-in in the browser, that of the console included.
    package var risk = RiskPolicy()
    /// `true` if the tokens of clients that prove a key are bound to it.
    package var bindsTokens = false
    /// The passkeys; nil where the key is left out.
    package var passkeys: PasskeyConfiguration?
    /// The clients, in the order of the file.
    package var clients: [Client]

    static let defaultName = "Ostiary"

    /// The condition for registering an account.
    package enum Registration: String, CaseIterable, Sendable {
        case open
        /// Only after the person proves an address by mail.
        case confirmed
        /// No registration: only the administrator creates accounts.
        case closed
    }

    /// An external app whose users sign in here.
    package struct Client: Hashable, Sendable {
        /// The `client_id`.
        package var id: String
        package var name: String
        /// The client secret; nil for a public client, which cannot keep one.
        package var secret: Secret<String>?
        package var redirectURIs: [String]
        package var postLogoutRedirectURIs: [String]
        /// `true` if people are not asked for their consent.
        package var isFirstParty: Bool
        /// The limit of the requests that the client authenticates; without effect for a public client.
        package var rateLimit = RateLimits.clientDefault
        /// The targets to which the redirect URI may redirect further: origins, and schemes with their colon.
        package var leadsTo: [String]
    }

    /// The binding of clients' tokens to their keys. It is the client's choice: not every OAuth client can.
    private enum DPoP: String, CaseIterable { case off, accepted }

    /// - Returns: Nil where production has none; in development there always is one.
    static func read(_ root: Section, mode: Mode) throws(ConfigurationProblem) -> ProviderConfiguration? {
        let section = try root.section("idp", mayBeEmpty: true)
        guard section.isPresent || mode == .development else { return nil }
        var provider = ProviderConfiguration(name: defaultName, registration: .open, clients: [])
        if let name = try section.setting("name") { provider.name = try DisplayName.check(name) }
        if let color = try section.setting("color") { provider.color = try Color.check(color) }
        provider.language = try section.choice("language") ?? provider.language
        provider.registration = try section.choice("registration") ?? provider.registration
        provider.bindsTokens = try section.choice("dpop", of: DPoP.self) == .accepted
        provider.secondFactor = try SecondFactorPolicy(section.section("second_factor"), issuer: provider.name)
        provider.risk = try RiskPolicy(section.section("risk"))
        provider.passkeys = try PasskeyConfiguration.read(section, name: provider.name, mode: mode)
        let clients = try section.section("clients", mayBeEmpty: true)
        for id in clients.names {
            guard (1...64).contains(id.utf8.count),
                id.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "-_.".utf8.contains($0) })
            else { throw clients.problem(id, "needs an id of letters, digits, -, _ and ., at most 64") }
            provider.clients.append(try Client(id: id, clients.section(id), mode: mode))
        }
        try clients.finish()
        try section.finish()
        return provider
    }
}

extension ProviderConfiguration.Client {
    fileprivate init(id: String, _ section: Section, mode: Mode) throws(ConfigurationProblem) {
        self.id = id
        name = id
        if let setting = try section.setting("name") { name = try DisplayName.check(setting) }
        let secret = try section.setting("secret")
        let isPublic = try section.boolean("public") ?? false
        if let secret {
            guard !isPublic else { throw secret.problem("needs to be left out: the client is public") }
            self.secret = try SecretStrength.check(secret, mode: mode)
        } else if !isPublic {
            throw section.problem(
                "secret", "needs at least \(SecretStrength.shortest) bytes, or public: true beside it")
        }
        guard let uris = try section.list("redirect_uris"), !uris.isEmpty else {
            throw section.problem("redirect_uris", "needs at least one redirect URI")
        }
        redirectURIs = []
        for setting in uris { redirectURIs.append(try RedirectURI.check(setting)) }
        postLogoutRedirectURIs = []
        for setting in try section.list("post_logout_redirect_uris") ?? [] {
            postLogoutRedirectURIs.append(try RedirectURI.check(setting))
        }
        isFirstParty = try section.boolean("first_party") ?? false
        if let limit = try section.setting("rate_limit") {
            guard !isPublic else {
                throw limit.problem("needs to be left out: a public client's requests are counted by their address")
            }
            rateLimit = try RateLimit(limit)
        }
        leadsTo = []
        for setting in try section.list("leads_to") ?? [] { leadsTo.append(try RedirectURI.destination(setting)) }
        try section.finish()
    }
}
