package import OstiaryCore
package import OstiaryEngine
package import OstiaryTokens

/// The factory of the built-in provider: three engines on the accounts of one app.
///
/// One serves the browser, whose sessions last eight hours and are not refreshed. One serves clients, whose sessions are
/// refreshed if they requested `offline_access`. One serves the operator's console. All work on the same accounts and
/// sessions, so that disabling an account or changing a password ends each kind immediately; only the rules and the
/// audience of the tokens differ.
package enum ProviderDirectory {
    /// The app whose accounts are the provider's users.
    package static let appName = "idp"
    /// The name under which the keys of ID tokens are stored. A separate name, because the store rotates and retires
    /// the keys of one name together, and each algorithm must have a current key.
    package static let idTokenKeysName = "idp-id-tokens"
    /// The lifetime of a browser's session, in seconds.
    package static let browserSessionSeconds = 28_800
    /// The lifetime of a client's access token, in seconds.
    package static let accessTokenSeconds = 3600
    /// The time without a request after which the console asks for a new sign-in, in seconds.
    package static let consoleIdleSeconds = 1800
    /// The lifetime of a console session regardless of its use, in seconds.
    package static let consoleSessionSeconds = 43_200
    /// The client id of the console.
    package static let consoleClientID = "ostiary-console"
    /// The lifetime of a client's unused refresh token, in seconds.
    package static let refreshTokenSeconds = 2_592_000

    /// Returns the default settings of the provider's app, for the configuration to adjust: passwords, limits, safe
    /// registration.
    ///
    /// - Throws: Only the declared error of ``AppName/init(_:)``, which does not occur for ``appName``.
    package static func appSettings() throws(FieldProblem) -> AppSettings {
        var app = AppSettings(
            name: try AppName(appName),
            rules: AppRules(identifier: .email, accessTokenSeconds: browserSessionSeconds))
        // Without an administrator no account could sign in to the console any more.
        app.keptRole = User.adminRole
        return app
    }

    /// Returns the keys of ID tokens, which are generated on first use.
    package static func idTokenKeys(store: any SigningKeyStore, keyRing: KeyRing) throws(FieldProblem) -> SigningKeys {
        SigningKeys(
            app: try AppName(idTokenKeysName), algorithm: .rs256, store: store, keyRing: keyRing,
            tokenSeconds: OpenIDProvider.idTokenSeconds)
    }

    /// Creates the provider.
    ///
    /// - Parameters:
    ///   - app: ``appSettings()``, adjusted by the configuration.
    ///   - ports: The ports of any app; the token formats are replaced.
    ///   - accessTokenKeys: The keys of the app ``appName``, for tokens with a lifetime of ``browserSessionSeconds``.
    ///   - idTokenKeys: ``idTokenKeys(store:keyRing:)``.
    ///   - earlier: The provider with other settings that this one succeeds.
    package static func provider(
        _ settings: ProviderSettings, app: AppSettings, ports: Ports, accessTokenKeys: SigningKeys,
        idTokenKeys: SigningKeys, after earlier: OpenIDProvider? = nil
    ) -> OpenIDProvider {
        var ports = ports
        ports.refreshTokens = OpaqueRefreshTokens(app: app.name, keyRing: ports.keys)
        ports.accessTokens = SealedAccessTokens(app: app.name, keyRing: ports.keys)
        let engine = AuthEngine(app: app, ports: ports, after: earlier?.engine)

        var clients = app
        clients.rules.accessTokenSeconds = accessTokenSeconds
        // A grant without `offline_access` ends with its only access token.
        clients.rules.refresh = RefreshRules(seconds: refreshTokenSeconds, shortSeconds: accessTokenSeconds)
        ports.accessTokens = JWTAccessTokens(
            issuer: settings.issuer, audience: "\(settings.issuer)/userinfo", keys: accessTokenKeys,
            randomBytes: ports.system.randomBytes)
        // The browser's sign-in was assessed. A token request comes from the client's server, and is no place of the person.
        clients.risk = .off
        clients.dpop.requirement = settings.bindsTokens ? .accepted : .off
        let grants = AuthEngine(app: clients, ports: ports, after: earlier?.grants)

        var console = app
        console.rules.accessTokenSeconds = consoleIdleSeconds
        // No token of the console is refreshed. The rule separates the session's end from that of its token.
        console.rules.refresh = RefreshRules(seconds: consoleSessionSeconds)
        console.sessions.absoluteSeconds = consoleSessionSeconds
        console.risk = .off
        ports.accessTokens = SealedAccessTokens(app: app.name, keyRing: ports.keys, for: .consoleSessions)
        return OpenIDProvider(
            settings: settings, engine: engine, grants: grants,
            console: AuthEngine(app: console, ports: ports, after: earlier?.console),
            idTokens: IDTokens(issuer: settings.issuer, keys: idTokenKeys), keys: [idTokenKeys, accessTokenKeys])
    }
}
