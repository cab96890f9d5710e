import Crypto
import Foundation
import OstiaryConfiguration
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import OstiaryIdentities
import OstiaryProvider
import OstiaryTokens

/// The server's own OpenID provider, and the registration of its apps as clients.
struct BuiltInProvider {
    let provider: OpenIDProvider
    let transport: BuiltInTransport
    let client: UpstreamClient
    let accessTokenKeys: SigningKeys
    let idTokenKeys: SigningKeys

    /// - Parameter earlier: The provider by the configuration before.
    /// - Throws: The store's errors.
    init(
        _ configuration: ProviderConfiguration, of resolved: ResolvedConfiguration, shared: EngineDependencies,
        after earlier: OpenIDProvider? = nil
    ) async throws {
        var app = try ProviderDirectory.appSettings()
        app.registersSafely = configuration.registration == .confirmed
        app.secondFactor = configuration.secondFactor
        app.risk = configuration.risk
        app.passkeys =
            configuration.passkeys?.settings ?? resolved.configuration.developmentPasskeys(named: configuration.name)
        accessTokenKeys = try await SigningKeys(
            app: app.name, store: shared.store, keyRing: shared.keys,
            accessTokenSeconds: ProviderDirectory.browserSessionSeconds, at: shared.system.now())
        idTokenKeys = try ProviderDirectory.idTokenKeys(store: shared.store, keyRing: shared.keys)
        let settings = ProviderSettings(
            issuer: Self.issuer(resolved), clients: Self.clients(configuration, of: resolved, keys: shared.keys),
            mocksConnections: resolved.configuration.mode == .development,
            isRegistrationOpen: configuration.registration != .closed, bindsTokens: configuration.bindsTokens)
        // The directory has token issuers of its own.
        let ports = shared.ports(
            passwords: try await shared.hasher(for: app.name, cost: AppConfiguration.defaultBcryptCost),
            accessTokens: JWTAccessTokens(
                issuer: settings.issuer, audience: app.name.text, keys: accessTokenKeys,
                randomBytes: shared.system.randomBytes),
            refreshTokens: OpaqueRefreshTokens(app: app.name, keyRing: shared.keys),
            signingKeys: [accessTokenKeys, idTokenKeys])
        provider = ProviderDirectory.provider(
            settings, app: app, ports: ports, accessTokenKeys: accessTokenKeys, idTokenKeys: idTokenKeys,
            after: earlier)
        transport = BuiltInTransport(issuer: settings.issuer)
        client = UpstreamClient(transport: transport, system: shared.system, log: shared.log)
    }

    static func issuer(_ resolved: ResolvedConfiguration) -> String { "\(resolved.origin)\(ProviderServer.base)" }

    /// Returns the provider as an identity provider of this server's app.
    func asked(by app: ResolvedConfiguration.App, keys: KeyRing) -> IdentityDependencies.BuiltIn {
        IdentityDependencies.BuiltIn(
            issuer: provider.settings.issuer, client: client, clientID: app.settings.name.text,
            clientSecret: Self.secret(of: app.settings.name.text, keys: keys),
            isAssessed: provider.engine.app.risk != .off)
    }

    /// Returns the configured clients, and this server's own apps.
    private static func clients(
        _ configuration: ProviderConfiguration, of resolved: ResolvedConfiguration, keys: KeyRing
    ) -> [ProviderClient] {
        let others = configuration.clients.map { client in
            ProviderClient(
                id: client.id, name: client.name, secret: client.secret,
                redirectURIs: RedirectURIs(client.redirectURIs),
                postLogoutRedirectURIs: RedirectURIs(client.postLogoutRedirectURIs), isFirstParty: client.isFirstParty,
                rateLimit: client.rateLimit, leadsTo: client.leadsTo)
        }
        return others + resolved.apps.compactMap { client(of: $0, of: resolved, keys: keys) }
            + [console(of: resolved, keys: keys)]
    }

    /// Returns the operator's console as a client.
    private static func console(of resolved: ResolvedConfiguration, keys: KeyRing) -> ProviderClient {
        let id = ProviderDirectory.consoleClientID
        var client = ProviderClient(
            id: id, name: "Ostiary", secret: secret(of: id, keys: keys),
            redirectURIs: RedirectURIs(resolved.consoleOrigins.map { $0 + ConsoleSettings.callbackPath }),
            isFirstParty: true)
        client.isConsole = true
        return client
    }

    private static func client(of app: ResolvedConfiguration.App, of resolved: ResolvedConfiguration, keys: KeyRing)
        -> ProviderClient?
    {
        let own = app.identities.filter { $0.isBuiltIn }
        guard !own.isEmpty else { return nil }
        var redirects: [String] = []
        for identity in own {
            let path = app.settings.callbackPath(of: identity.name, among: app.browserProviders)
            redirects += resolved.names(of: app).map { $0 + path }
            // In place of Auth0, the provider redirects social sign-ins directly to the app.
            if identity.kind == .auth0 { redirects += app.settings.redirectURIs.registered }
        }
        return ProviderClient(
            id: app.settings.name.text, name: app.configuration.displayName,
            secret: secret(of: app.settings.name.text, keys: keys),
            redirectURIs: RedirectURIs(redirects), isFirstParty: true, leadsTo: app.settings.redirectURIs.registered)
    }

    private static func secret(of client: String, keys: KeyRing) -> Secret<String> {
        Secret(Base64URL.encode(keys.digest(["client", client], for: .provider, app: nil)))
    }
}

extension IdentityConfiguration {
    /// `true` if it is the server's own provider, as itself or in place of an external one.
    var isBuiltIn: Bool {
        switch source {
        case .builtIn, .oidc(nil), .auth0(nil): true
        default: false
        }
    }
}
