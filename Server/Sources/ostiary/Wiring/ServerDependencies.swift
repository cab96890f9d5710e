import Crypto
import Foundation
import Instrumentation
import Logging
import OstiaryConfiguration
import OstiaryContracts
import OstiaryCore
import OstiaryDelivery
import OstiaryEngine
import OstiaryEvents
import OstiaryGeography
import OstiaryHTTP
import OstiaryIdentities
import OstiaryProvider
import OstiaryStore
import OstiaryTokens

/// The server without its HTTP layer: the store, and an engine for each app. Shared by `serve` and the commands.
struct ServerDependencies {
    let resolved: ResolvedConfiguration
    let store: any Store
    let engines: [AppName: AuthEngine]
    let accessTokens: [AppName: JWTAccessTokens]
    let notificationSealer: any NotificationSealer
    let delivery: DeliveryWorker
    let events: EventDeliveryWorker
    /// The server's own OpenID provider; nil where there is none.
    let builtIn: BuiltInProvider?
    /// The connections to other providers.
    let upstreams: Upstreams
    /// The counts of operations by their outcome.
    let operationCounts: OperationCounts
    /// The threads that hash passwords.
    let passwordPool: BcryptPool
    /// The counts of messages that a cap suppressed.
    let capHits: MessageCapHits
    /// The counts of sign-ins that a limit on attacks stopped.
    let attackCounts: AttackCounts
    /// The files by which network addresses are located; nil without any.
    let geography: GeographyFiles?
    /// The count of questions about compromised passwords that had no answer.
    let compromisedPasswordFailures: CompromisedPasswordFailures
    let keys: KeyRing
    let system: SystemDependencies
    let tracing: RequestTracing
    /// The apps and the built-in provider as administrators see them.
    let administered: AdministeredServer

    /// Opens the store; with SQLite, creates data directory, database and development secrets if they are missing.
    ///
    /// - Parameter patience: The longest time to wait for a database that cannot be reached.
    /// - Throws: ``StoreError`` above all.
    init(
        _ resolved: ResolvedConfiguration, system: SystemDependencies = .system, patience: Duration = .zero, log: Logger
    ) async throws {
        let store = try await resolved.openStore(system, patience: patience, log: log)
        // Only after the database is locked: two servers that start at once would create two sets of secrets.
        let secrets = try resolved.developmentSecrets(system)
        let keys: KeyRing
        do { keys = try await resolved.keyRing(of: store, secrets, at: system.now()) } catch {
            try? await store.close()
            throw error
        }

        let geography = try GeographyFiles(resolved.configuration.geography)
        let signal = OutboxSignal()
        let notificationSealer = Outbox(store: store, keys: keys, system: system, signal: signal)
        let capHits = MessageCapHits()
        let attackCounts = AttackCounts()
        let operationCounts = OperationCounts()
        let pool = try BcryptPool(onFailedSelfTest: {
            log.error("bcrypt failed its self-test on this machine: libcrypt hashes passwords, at a third of the speed")
        })
        let shared = EngineDependencies(
            store: store, keys: keys, notificationSealer: notificationSealer, pool: pool,
            inMemoryRateLimiter: InMemoryRateLimiter(),
            capHits: capHits, attackCounts: attackCounts, operationCounts: operationCounts, networkLocator: geography,
            system: system, log: log, incidents: IncidentLog(log: log, system: system))
        let tracing = RequestTracing(
            randomBytes: system.randomBytes, recorder: DistributedTracer(system: InstrumentationSystem.self),
            propagation: resolved.configuration.tracing.propagate)
        self.tracing = tracing
        let upstreams = Upstreams(mode: resolved.configuration.mode, system: system, log: log)
        let compromised = CompromisedPasswordSources(upstreams: upstreams)
        compromisedPasswordFailures = compromised.failures
        var builtIn: BuiltInProvider?
        if let provider = resolved.configuration.idp {
            builtIn = try await BuiltInProvider(provider, of: resolved, shared: shared)
        }
        var engines: [AppName: AuthEngine] = [:]
        var accessTokens: [AppName: JWTAccessTokens] = [:]
        for app in resolved.apps {
            let name = app.settings.name
            let signing = app.configuration.signing
            let access: JWTAccessTokens
            var signingKeys: [any RotatableKeys] = []
            switch signing.algorithm {
            case .hs256:
                guard let secret = signing.secret ?? secrets?.token(for: name) else {
                    throw ConfigurationProblem(place: nil, key: "apps.\(name).jwt_secret", need: "is needed")
                }
                access = try JWTAccessTokens(
                    issuer: app.issuer, audience: name.text, secret: secret, earlier: signing.earlierSecrets,
                    randomBytes: system.randomBytes)
            case .es256:
                let set = try await SigningKeys(
                    app: name, store: store, keyRing: keys,
                    accessTokenSeconds: app.settings.rules.accessTokenSeconds, at: system.now())
                signingKeys = [set]
                access = JWTAccessTokens(
                    issuer: app.issuer, audience: name.text, keys: set, randomBytes: system.randomBytes)
            }
            accessTokens[name] = access
            let refresh: any RefreshTokens
            switch app.settings.rules.refresh?.form {
            case .jwt:
                guard let secret = signing.refreshSecret ?? secrets?.refresh(for: name) else {
                    throw ConfigurationProblem(place: nil, key: "apps.\(name).jwt_refresh_secret", need: "is needed")
                }
                refresh = try JWTRefreshTokens(
                    issuer: app.issuer, audience: name.text, secret: secret, earlier: signing.earlierRefreshSecrets)
            case .opaque, nil: refresh = OpaqueRefreshTokens(app: name, keyRing: keys)
            }
            let identities = try IdentitySources(
                of: app,
                with: IdentityDependencies(
                    upstream: { upstreams.client(trusting: $0) },
                    builtIn: builtIn?.asked(by: app, keys: keys), system: system))
            engines[name] = AuthEngine(
                app: app.settings,
                ports: shared.ports(
                    passwords: try await shared.hasher(for: name, cost: app.configuration.bcryptCost),
                    compromisedPasswords: try compromised.list(of: app.configuration),
                    accessTokens: access, refreshTokens: refresh, signingKeys: signingKeys,
                    identities: identities,
                    hooks: Hooks(app.configuration.hooks, urls: resolved.configuration.events.urls, system: system)))
        }
        if let builtIn {
            let name = builtIn.provider.engine.app.name
            engines[name] = builtIn.provider.engine
        }
        self.resolved = resolved
        self.store = store
        self.engines = engines
        self.accessTokens = accessTokens
        self.notificationSealer = notificationSealer
        self.system = system
        self.builtIn = builtIn
        self.upstreams = upstreams
        self.geography = geography
        self.capHits = capHits
        self.attackCounts = attackCounts
        self.operationCounts = operationCounts
        passwordPool = pool
        self.keys = keys
        administered = AdministeredServer(
            apps: resolved.administered(engines), store: store, keys: keys, system: system,
            inMemoryRateLimiter: shared.inMemoryRateLimiter, eventURLs: resolved.configuration.events.urls,
            report: { shared.incidents.report($0) })
        delivery = DeliveryWorker(
            store: store, keys: keys, system: system, signal: signal, routes: resolved.routes,
            apps: try Self.presentations(resolved), logger: log, tracing: tracing)
        events = EventDeliveryWorker(
            store: store, sender: WebhookClient(policy: resolved.configuration.events.urls),
            notices: notificationSealer, limiter: { [engines] in engines[$0]?.messageLimiter }, keys: keys,
            system: system, logger: log, tracing: tracing)
    }

    /// The names that accounts belong to: the apps, and the built-in provider.
    var names: [AppName] {
        resolved.apps.map(\.settings.name) + [builtIn?.provider.engine.app.name].compactMap(\.self)
    }

    /// Closes the connections and the store, once no service runs any more.
    func close() async throws {
        try await upstreams.shutdown()
        await administered.serviceKeyUses.finish()
        try await store.close()
    }

    private static func presentations(_ resolved: ResolvedConfiguration) throws -> [AppName: AppPresentation] {
        var presentations: [AppName: AppPresentation] = [:]
        for app in resolved.apps {
            guard let base = URL(string: app.baseURL) else { continue }
            presentations[app.settings.name] = try AppPresentation(
                displayName: app.configuration.displayName, linkBase: base)
        }
        if let provider = resolved.configuration.idp, let base = URL(string: BuiltInProvider.issuer(resolved)) {
            presentations[try AppName(ProviderDirectory.appName)] = try AppPresentation(
                displayName: provider.name, linkBase: base)
        }
        return presentations
    }
}
