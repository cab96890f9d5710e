package import OstiaryCore
package import OstiaryEngine
package import OstiaryTokens

/// Puts the built-in provider together: two engines on the accounts of one app.
///
/// One serves the browser, whose sessions live a working day and are not refreshed. The other serves clients, whose
/// sessions are refreshed if they asked for `offline_access`. Both work on the same accounts and sessions, so that disabling
/// a person or changing a password ends either kind at once; only the rules and the audience of the tokens differ.
package enum ProviderDirectory {
    /// The app whose accounts are the provider's people.
    package static let appName = "idp"
    /// What the keys of ID tokens are kept under. A name of its own, because the store rotates and retires the keys of
    /// one name together, and each algorithm must have a key in use.
    package static let idTokenKeysName = "idp-id-tokens"
    /// How long a browser stays signed in, in seconds.
    package static let browserSessionSeconds = 28_800
    /// How long a client's access token lives, in seconds.
    package static let accessTokenSeconds = 3600
    /// How long a client's refresh token lives unused, in seconds.
    package static let refreshTokenSeconds = 2_592_000

    /// What holds for the provider's people, for the configuration to adjust: passwords, limits, safe registration.
    ///
    /// - Throws: Nothing but what ``AppName/init(_:)`` declares.
    package static func appSettings() throws(FieldProblem) -> AppSettings {
        AppSettings(
            name: try AppName(appName),
            rules: AppRules(identifier: .email, accessTokenSeconds: browserSessionSeconds))
    }

    /// The keys of ID tokens, made when the first is needed.
    package static func idTokenKeys(store: any SigningKeyStore, keyRing: KeyRing) throws(FieldProblem) -> SigningKeys {
        SigningKeys(
            app: try AppName(idTokenKeysName), algorithm: .rs256, store: store, keyRing: keyRing,
            tokenSeconds: OpenIDProvider.idTokenSeconds)
    }

    /// The provider.
    ///
    /// - Parameters:
    ///   - app: ``appSettings()``, adjusted.
    ///   - ports: Those of any app; what makes tokens is replaced.
    ///   - accessTokenKeys: Of the app ``appName``, for tokens of ``browserSessionSeconds``.
    ///   - idTokenKeys: ``idTokenKeys(store:keyRing:)``.
    package static func provider(
        _ settings: ProviderSettings, app: AppSettings, ports: Ports, accessTokenKeys: SigningKeys,
        idTokenKeys: SigningKeys
    ) -> OpenIDProvider {
        var ports = ports
        ports.refreshTokens = OpaqueRefreshTokens(app: app.name, keyRing: ports.keys)
        ports.accessTokens = SealedAccessTokens(app: app.name, keyRing: ports.keys)
        let engine = AuthEngine(app: app, ports: ports)

        var clients = app
        clients.rules.accessTokenSeconds = accessTokenSeconds
        // A grant without `offline_access` is over with its one access token.
        clients.rules.refresh = RefreshRules(seconds: refreshTokenSeconds, shortSeconds: accessTokenSeconds)
        ports.accessTokens = JWTAccessTokens(
            issuer: settings.issuer, audience: "\(settings.issuer)/userinfo", keys: accessTokenKeys,
            randomBytes: ports.surroundings.randomBytes)
        return OpenIDProvider(
            settings: settings, engine: engine, grants: AuthEngine(app: clients, ports: ports),
            idTokens: IDTokens(issuer: settings.issuer, keys: idTokenKeys), keys: [idTokenKeys, accessTokenKeys])
    }
}
