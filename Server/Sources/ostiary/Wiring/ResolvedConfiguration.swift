import OstiaryConfiguration
import OstiaryContracts
import OstiaryCore
import OstiaryDelivery
import OstiaryEngine
import OstiaryHTTP
import OstiaryPostgres
import OstiaryProvider

/// A configuration with everything loaded that it refers to. Creating one opens no store and writes nothing: every
/// error of a configuration shows here.
struct ResolvedConfiguration {
    var configuration: Configuration
    var apps: [App]
    /// The server's origin for browsers: scheme, host and port.
    let origin: String
    var routes: DeliveryRoutes
    var certificate: TLSCertificate?
    /// The database's connection settings; nil where it is a file.
    let postgres: PostgresSettings?
    /// Every setting as it was read, for a comparison.
    let snapshot: Configuration.Snapshot

    struct App {
        var configuration: AppConfiguration
        var codec: Codec
        var settings: AppSettings
        /// The identity providers; the built-in one where the configuration names none and the contract needs one.
        var identities: [IdentityConfiguration]
        /// The names of the providers at which users sign in in a browser.
        var browserProviders: [String] { identities.filter(\.usesBrowser).map(\.name) }
        /// The prefix that clients write before the contract's paths.
        var baseURL: String
        /// The issuer in tokens: the base URL where it is configured, otherwise a name that does not depend on the
        /// port.
        var issuer: String
    }

    init(_ configuration: Configuration) throws(ConfigurationProblem) {
        self.configuration = configuration
        snapshot = configuration.snapshot
        origin = configuration.publicURL ?? "http://\(configuration.listen)"
        postgres = try Self.postgres(configuration.store)
        apps = []
        for app in configuration.apps {
            apps.append(
                try Self.app(
                    app, of: configuration, origin: origin))
        }
        try Self.checkPort(configuration, apps)
        apps = Self.sharingPasskeys(apps)
        try Self.checkRoutes(apps)
        for app in apps { _ = try IdentitySources(of: app, with: .none) }
        try Self.checkClients(configuration.idp, apps)
        routes = try Self.routes(configuration)
        if let files = configuration.tls {
            do {
                certificate = try TLSCertificate(certificateFile: files.certificate, keyFile: files.key)
            } catch {
                throw ConfigurationProblem(place: nil, key: "tls", need: error.description)
            }
        }
    }

    /// Returns the apps with the names of the others that have passkeys of the same RP ID.
    private static func sharingPasskeys(_ apps: [App]) -> [App] {
        apps.map { app in
            guard let domain = app.settings.passkeys?.relyingPartyID else { return app }
            let sharing = apps.map(\.settings).filter { $0.passkeys?.relyingPartyID == domain }
            var app = app
            app.settings.passkeys?.otherApps = sharing.map(\.name).filter { $0 != app.settings.name }
            return app
        }
    }

    private static func postgres(_ store: StoreLocation) throws(ConfigurationProblem) -> PostgresSettings? {
        guard case .postgres(let url) = store else { return nil }
        do { return try PostgresSettings(url: url.reveal()) } catch {
            throw ConfigurationProblem(place: nil, key: "store", need: error.description)
        }
    }

    /// Refuses port 0 where a browser returns to this server from its own provider: the URLs of both are made before the
    /// system chooses the port.
    private static func checkPort(_ configuration: Configuration, _ apps: [App]) throws(ConfigurationProblem) {
        guard configuration.listen.port == 0, configuration.publicURL == nil,
            let app = apps.first(where: { $0.identities.contains(where: \.isBuiltIn) })
        else { return }
        throw ConfigurationProblem(
            place: nil, key: "listen",
            need: "needs a port other than 0, or public_url: \(app.settings.name) signs users in through the built-in "
                + "provider, from which a browser returns")
    }

    /// Refuses an app with a path that the server itself or another app answers instead.
    private static func checkRoutes(_ apps: [App]) throws(ConfigurationProblem) {
        let routes = apps.map { app in
            AppRoutes(
                base: app.configuration.basePath.text, hosts: app.configuration.hosts, baseURL: app.baseURL,
                codec: app.codec, settings: app.settings, providers: app.browserProviders)
        }
        for app in routes {
            guard let need = app.conflict(among: routes) else { continue }
            throw ConfigurationProblem(place: nil, key: "apps.\(app.name)", need: need)
        }
    }

    /// Checks the provider's client ids: this server's apps are clients of its provider under their own names, and the
    /// console is one.
    private static func checkClients(
        _ provider: ProviderConfiguration?, _ apps: [App]
    ) throws(ConfigurationProblem) {
        if provider != nil {
            for app in apps where app.settings.name.text == ProviderDirectory.consoleClientID {
                throw ConfigurationProblem(
                    place: nil, key: "apps.\(app.settings.name)", need: "needs another name: the console has it")
            }
        }
        let own =
            apps.filter { $0.identities.contains(where: \.isBuiltIn) }.map(\.settings.name.text)
            + [ProviderDirectory.consoleClientID]
        for client in provider?.clients ?? [] where own.contains(client.id) {
            throw ConfigurationProblem(
                place: nil, key: "idp.clients.\(client.id)",
                need: "needs another id: the server itself has a client of that name")
        }
    }

    /// `true` if browsers may use any loopback name of this machine: in development without a public URL.
    var followsLoopbackHost: Bool { configuration.mode == .development && configuration.publicURL == nil }

    /// Returns every base URL under which browsers can reach an app.
    func names(of app: App) -> [String] {
        guard followsLoopbackHost, app.configuration.hosts.isEmpty else { return [app.baseURL] }
        let names = ServerApplication.AppMount.loopbackNames.map {
            "http://\($0):\(configuration.listen.port)\(app.configuration.basePath.text)"
        }
        return names.contains(app.baseURL) ? names : [app.baseURL]
    }

    private static func app(
        _ app: AppConfiguration, of configuration: Configuration, origin: String
    ) throws(ConfigurationProblem) -> App {
        let codec: Codec
        do { codec = try Codec(app.contract, attributes: app.attributes) } catch {
            throw ConfigurationProblem(place: nil, key: "apps.\(app.name).contract", need: error.description)
        }
        var settings = try app.settings(callingCodes: configuration.smsCountries)
        settings.passkeys = settings.passkeys ?? configuration.developmentPasskeys(named: app.displayName)
        let identities = identities(of: app, codec, mode: configuration.mode)
        try checkIdentities(identities, asked: !app.identities.isEmpty, of: settings, codec)
        let accessSecrets = [app.signing.secret] + app.signing.earlierSecrets
        let refreshSecrets = [app.signing.refreshSecret] + app.signing.earlierRefreshSecrets
        for (name, secrets) in [("jwt_secret", accessSecrets), ("jwt_refresh_secret", refreshSecrets)] {
            guard secrets.contains(where: { $0.map { $0.reveal().utf8.count < 32 } ?? false }) else { continue }
            throw ConfigurationProblem(place: nil, key: "apps.\(app.name).\(name)", need: "needs at least 32 bytes")
        }
        let baseURL = (app.hosts.first.map { "https://\($0)" } ?? origin) + app.basePath.text
        return App(
            configuration: app, codec: codec, settings: settings, identities: identities, baseURL: baseURL,
            issuer: configuration.publicURL != nil ? baseURL : "urn:ostiary:\(app.name)")
    }

    /// Returns the configured providers, or in development the built-in one where the contract needs one.
    private static func identities(of app: AppConfiguration, _ codec: Codec, mode: Mode) -> [IdentityConfiguration] {
        guard app.identities.isEmpty, mode == .development else { return app.identities }
        if codec.contract.rules.identifier == .subject {
            return [IdentityConfiguration(name: "oidc", title: "Ostiary", source: .oidc(nil))]
        }
        guard codec.contract.endpoint(for: .socialConfiguration) != nil else { return [] }
        return [IdentityConfiguration(name: "auth0", title: "Auth0", source: .auth0(nil))]
    }

    /// Refuses an app that offers no way to sign in, or identity providers that cannot authenticate its accounts.
    private static func checkIdentities(
        _ identities: [IdentityConfiguration], asked: Bool, of settings: AppSettings, _ codec: Codec
    ) throws(ConfigurationProblem) {
        let key = "apps.\(settings.name).identity"
        let browsers = identities.filter(\.usesBrowser)
        if settings.rules.identifier == .subject {
            if browsers.isEmpty {
                throw ConfigurationProblem(
                    place: nil, key: key, need: "needs kind: oidc with issuer, client_id and client_secret")
            }
            if let identity = identities.first(where: { $0.kind == .local || $0.kind == .cognito }) {
                throw ConfigurationProblem(
                    place: nil, key: key, need: "must not contain \(identity.kind): the contract accepts no password")
            }
        }
        if settings.rules.identifier == .phoneNumber, identities.contains(where: { $0.kind == .cognito }) {
            throw ConfigurationProblem(
                place: nil, key: key, need: "must not contain cognito: the contract's users sign in with phone numbers")
        }
        if asked, settings.redirectURIs.registered.isEmpty, let identity = browsers.first {
            throw ConfigurationProblem(
                place: nil, key: "apps.\(settings.name).redirect_uris",
                need: "is needed: \(identity.kind) signs users in through a browser, which must return to the app")
        }
    }

    private static func routes(_ configuration: Configuration) throws(ConfigurationProblem) -> DeliveryRoutes {
        DeliveryRoutes(email: try email(configuration), sms: try sms(configuration))
    }

    private static func email(
        _ configuration: Configuration
    ) throws(ConfigurationProblem) -> OstiaryDelivery.EmailDelivery {
        switch configuration.email {
        case .smtp(let url, let from):
            do {
                return .smtp(try SMTPServer(url: url.reveal()), from: try Mailbox(from))
            } catch {
                throw ConfigurationProblem(place: nil, key: "email", need: error.need)
            }
        case .inbox: return .inbox
        case nil:
            if let app = needing(.email, configuration) {
                throw ConfigurationProblem(
                    place: nil, key: "email", need: "\(app) sends email; needs kind: smtp with url and from")
            }
            return .inbox
        }
    }

    private static func sms(_ configuration: Configuration) throws(ConfigurationProblem) -> OstiaryDelivery.SMSDelivery
    {
        do throws(InvalidDeliverySetting) {
            switch configuration.sms {
            case .twilio(let sid, let token, let from):
                return .twilio(try TwilioAccount(accountSID: sid, authToken: token, from: from))
            case .webhook(let url, let secret):
                return .webhook(try SMSWebhook(url: url.reveal(), secret: secret))
            case .inbox: return .inbox
            case nil: break
            }
        } catch {
            throw ConfigurationProblem(place: nil, key: "sms", need: error.need)
        }
        if let app = needing(.phoneNumber, configuration) {
            throw ConfigurationProblem(
                place: nil, key: "sms", need: "\(app) sends codes; needs kind: twilio or kind: webhook")
        }
        return .inbox
    }

    /// Returns the first app that sends messages to this kind of identifier: phone numbers, or email addresses.
    private static func needing(_ kind: AppRules.IdentifierKind, _ configuration: Configuration) -> AppName? {
        configuration.apps.first { app in
            let identifier = app.contract.rules.identifier
            return kind == .phoneNumber ? identifier == kind : identifier == .email || identifier == .username
        }?.name
    }
}
