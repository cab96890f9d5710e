package import OstiaryContracts
package import OstiaryCore
package import OstiaryEngine

/// The configuration of one app.
package struct AppConfiguration: Sendable {
    package var name: AppName
    /// The name that pages and messages show.
    package var displayName: String
    /// The colour of its pages, `#rrggbb`; nil for the default.
    package var color: String?
    package var language: MessageLanguage
    package var contract: Contract
    package var contractReference: ContractReference
    package var basePath: BasePath
    /// The host names that it serves, in lower case; empty for all.
    package var hosts: [String]
    /// The redirect URIs; nil for the contract's.
    package var redirectURIs: [String]?
    /// The identity providers, in the order in which they are offered. Empty where the key is left out: local accounts,
    /// and the built-in provider in development where the contract needs one.
    package var identities: [IdentityConfiguration]
    package var tokens: TokenSettings
    package var signing: SigningSettings
    package var replay: ReplayPolicy
    package var passwords: PasswordPolicy
    package var bcryptCost: Int
    /// The list of compromised passwords; nil where the key is left out.
    package var compromisedPasswords: CompromisedPasswordSource?
    package var resets: ResetPolicy
    package var codes: CodePolicy
    package var limits: RateLimits
    package var messages: MessageCaps
    package var stuffing: CredentialStuffingPolicy
    package var spraying: PasswordSprayingPolicy
    package var registrations: RegistrationCaps
    /// `true` if registration answers alike for taken identifiers and sends the owner a message instead.
    package var isRegistrationSafe: Bool
    /// The longest duration of a sign-in in the browser, in seconds.
    package var browserLifetime: Int
    package var browserSignIns: BrowserSignInCaps
    package var requestSigning: RequestSigning
    /// The binding of sessions to a key of the client.
    package var dpop: DPoPSettings
    package var secondFactor: SecondFactorPolicy
    /// The reactions to the risk of a sign-in.
    package var risk: RiskPolicy
    /// The limits of sessions.
    package var sessions: SessionPolicy
    /// The roles and their permissions.
    package var roles: RoleDefinitions
    /// The account attributes.
    package var attributes: AttributeDefinitions
    /// The questions to other systems.
    package var hooks: HooksConfiguration
    /// The passkeys; nil where the key is left out.
    package var passkeys: PasskeyConfiguration?
    /// The verification of the app itself; nil where the key is left out.
    package var appAttest: AppAttestConfiguration?
    /// The links that open apps; nil where the key is left out.
    package var universalLinks: UniversalLinks?

    private enum Profile: String, CaseIterable { case `default`, strict }

    package static let defaultBcryptCost = 10
    package static let defaultBrowserLifetime = AppSettings.usualBrowserSeconds

    /// - Parameter root: `true` if the app is at the root unless configured otherwise.
    /// - Parameter idp: The built-in provider, if there is one.
    /// - Parameter urls: The URLs that requests are sent to.
    init(
        _ name: AppName, _ section: Section, mode: Mode, atRoot root: Bool, idp: ProviderConfiguration?,
        urls: EventURLPolicy
    ) throws(ConfigurationProblem) {
        self.name = name
        displayName = DisplayName.made(from: name)
        if let setting = try section.setting("name") { displayName = try DisplayName.check(setting) }
        if let setting = try section.setting("color") { color = try Color.check(setting) }
        language = try section.choice("language", of: MessageLanguage.self) ?? .english
        contractReference = try ContractReference.read(section, app: name.text)
        contract = try contractReference.contract(for: section.key("contract"))

        hosts = try Self.hosts(section)
        let base = try section.setting("base_path")
        if let base {
            basePath = try BasePath(base)
        } else {
            basePath = root || !hosts.isEmpty ? .root : try BasePath(app: name.text, of: section)
        }
        redirectURIs = try Self.redirectURIs(section)
        identities = try IdentityConfiguration.read(section, mode: mode, idp: idp)

        let tokenSection = try section.section("tokens")
        tokens = try TokenSettings(tokenSection, environment: contract.rules.environment)
        signing = try SigningSettings(section, tokens: tokenSection, rules: contract.rules, mode: mode)
        replay = ReplayPolicy()
        replay.window = try tokenSection.seconds("replay_window") ?? replay.window
        replay.isStrict = try section.choice("profile", of: Profile.self) == .strict
        try tokenSection.finish()

        let passwordSection = try section.section("passwords")
        passwords = PasswordPolicy()
        let minimumLength = try passwordSection.integer("minimum_length", in: 8...PasswordRule.maximumBytes)
        passwords.minimumLength = minimumLength ?? passwords.minimumLength
        bcryptCost = try passwordSection.integer("bcrypt_cost", in: 10...16) ?? Self.defaultBcryptCost
        compromisedPasswords = try CompromisedPasswordSource.read(passwordSection)
        resets = ResetPolicy()
        resets.lifetimeSeconds =
            try passwordSection.integer("reset_lifetime", in: 1...86400) ?? resets.lifetimeSeconds
        try passwordSection.finish()
        codes = try CodePolicy(section.section("codes"))
        limits = try RateLimits(section.section("rate_limits"))
        messages = try MessageCaps(section.section("messages"))
        stuffing = try CredentialStuffingPolicy(section.section("stuffing"))
        spraying = try PasswordSprayingPolicy(section.section("spraying"))

        let registration = try section.section("registration")
        isRegistrationSafe = try registration.boolean("safe") ?? false
        registrations = try RegistrationCaps(registration)
        try registration.finish()
        let browser = try section.section("browser")
        browserLifetime = try browser.integer("lifetime", in: 1...3600) ?? Self.defaultBrowserLifetime
        browserSignIns = BrowserSignInCaps()
        browserSignIns.perNetwork =
            try browser.integer("unfinished_per_network", in: 1...10_000_000) ?? browserSignIns.perNetwork
        browserSignIns.perServer =
            try browser.integer("unfinished_per_server", in: 1...10_000_000) ?? browserSignIns.perServer
        try browser.finish()
        requestSigning = try section.choice("request_signing") ?? .accepted
        dpop = try DPoPSettings(reading: section)
        secondFactor = try SecondFactorPolicy(section.section("second_factor"), issuer: displayName)
        if replay.isStrict, secondFactor.requirement != .required {
            passwords.minimumLength = try Self.strictMinimumLength(minimumLength, passwordSection)
        }
        risk = try RiskPolicy(section.section("risk"))
        sessions = try SessionPolicy(section.section("sessions"))
        roles = try RoleDefinitions(section.section("roles"))
        attributes = try AttributeDefinitions(section.section("attributes"), of: contract)
        hooks = try HooksConfiguration(section.section("hooks"), urls: urls)
        passkeys = try PasskeyConfiguration.read(section, name: displayName, mode: mode)
        appAttest = try AppAttestConfiguration.read(section)
        universalLinks = try UniversalLinks.read(section)
        try section.finish()
    }

    /// Returns the minimum length of a password that is the only factor, in the strict profile. Source: NIST SP 800-63B-4
    /// §3.1.1.1.
    private static func strictMinimumLength(
        _ length: Int?, _ section: Section
    ) throws(ConfigurationProblem) -> Int {
        let least = 15
        guard let length else { return least }
        guard length >= least else {
            throw section.problem(
                "minimum_length",
                "needs at least \(least) with profile: strict, unless second_factor.policy is required")
        }
        return length
    }

    private static func hosts(_ section: Section) throws(ConfigurationProblem) -> [String] {
        var hosts: [String] = []
        guard let settings = try section.list("hosts") else { return [] }
        for setting in settings {
            let text = try setting.string()
            let address = IPAddress(text)
            guard let name = HostName(text)?.text ?? address.flatMap({ $0.isIPv6 ? "[\($0)]" : nil }) else {
                throw setting.problem(
                    address == nil
                        ? "needs host names without port and wildcard"
                        : "needs the IPv4 address without ::ffff: before it")
            }
            hosts.append(name)
        }
        guard !hosts.isEmpty else { throw section.problem("hosts", "needs at least one host name") }
        return hosts
    }

    private static func redirectURIs(_ section: Section) throws(ConfigurationProblem) -> [String]? {
        guard let settings = try section.list("redirect_uris") else { return nil }
        var uris: [String] = []
        for setting in settings { uris.append(try RedirectURI.check(setting)) }
        guard !uris.isEmpty else { throw section.problem("redirect_uris", "needs at least one redirect URI") }
        return uris
    }
}

extension AppConfiguration {
    /// Returns the engine's settings of this app.
    ///
    /// - Parameter callingCodes: The calling codes of phone numbers that may receive text messages; nil for any.
    /// - Throws: If the contract's numbers and the configured ones are inconsistent.
    package func settings(callingCodes: [CallingCode]? = nil) throws(ConfigurationProblem) -> AppSettings {
        let rules = try tokens.applied(to: contract.rules, app: name.text)
        if let idle = sessions.idleSeconds, idle < rules.accessTokenSeconds {
            throw ConfigurationProblem(
                place: nil, key: "apps.\(name.text).sessions.idle",
                need: "needs at least the access token's \(rules.accessTokenSeconds) seconds")
        }
        return AppSettings(
            name: name, rules: rules,
            redirectURIs: RedirectURIs(redirectURIs ?? contract.redirectURIs), pathPrefix: contract.prefix,
            browserSeconds: browserLifetime, sessions: sessions, replay: replay, passwords: passwords, codes: codes,
            resets: resets, limits: limits, messages: messages, callingCodes: callingCodes,
            registrations: registrations, stuffing: stuffing, spraying: spraying, browserSignIns: browserSignIns,
            registersSafely: isRegistrationSafe,
            requestSigning: requestSigning, dpop: dpop,
            passwordChangeRenewsTokens: contract.answersPasswordChangeWithTokens,
            secondFactor: secondFactor, risk: risk,
            answersChallenges: [.answerChallenge, .sendChallengeCode].allSatisfy { contract.endpoint(for: $0) != nil },
            passkeys: passkeys?.settings, appAttest: appAttest?.settings, roles: roles,
            attributes: attributes)
    }
}
