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

/// A server with one configuration, without its HTTP layer: an engine for each app. Shared by `serve` and the commands.
struct ServerDependencies {
    let resolved: ResolvedConfiguration
    /// The part of the server that does not depend on the configuration.
    let resources: ServerResources
    let engines: [AppName: AuthEngine]
    let accessTokens: [AppName: JWTAccessTokens]
    let notificationSealer: any NotificationSealer
    let delivery: DeliveryWorker
    let events: EventDeliveryWorker
    /// The server's own OpenID provider; nil where there is none.
    let builtIn: BuiltInProvider?
    let keys: KeyRing
    /// Begins the traces of requests and of the workers.
    let tracing: RequestTracing
    /// The apps and the built-in provider as administrators see them.
    let administered: AdministeredServer

    var store: any Store { resources.store }
    var system: SystemDependencies { resources.system }

    /// Opens the store, and makes everything else.
    ///
    /// - Parameter patience: The longest time to wait for a database that cannot be reached.
    /// - Throws: ``StoreError`` above all.
    init(_ resolved: ResolvedConfiguration, patience: Duration = .zero, log: Logger) async throws {
        let resources = try await ServerResources(resolved, patience: patience, log: log)
        do {
            try await self.init(resolved, resources)
        } catch {
            try? await resources.close()
            throw error
        }
    }

    /// Makes everything that depends on the configuration.
    ///
    /// - Parameter earlier: The dependencies by the configuration before, whose counted attempts are taken over.
    /// - Throws: ``ConfigurationProblem``; ``StoreError`` above all.
    init(
        _ resolved: ResolvedConfiguration, _ resources: ServerResources, after earlier: ServerDependencies? = nil
    ) async throws {
        let (store, system, log) = (resources.store, resources.system, resources.log)
        let keys = try await resolved.keyRing(of: store, resources.developmentSecrets, at: system.now())
        let signal = OutboxSignal()
        let notificationSealer = Outbox(store: store, keys: keys, system: system, signal: signal)
        let shared = EngineDependencies(
            resources: resources, keys: keys, notificationSealer: notificationSealer,
            networkLocator: try GeographyFiles(resolved.configuration.geography))
        let tracing = RequestTracing(
            randomBytes: system.randomBytes, recorder: DistributedTracer(system: InstrumentationSystem.self),
            propagation: resolved.configuration.tracing.propagate)
        self.tracing = tracing
        var builtIn: BuiltInProvider?
        if let provider = resolved.configuration.idp {
            builtIn = try await BuiltInProvider(
                provider, of: resolved, shared: shared, after: earlier?.builtIn?.provider)
        }
        var engines: [AppName: AuthEngine] = [:]
        var accessTokens: [AppName: JWTAccessTokens] = [:]
        for app in resolved.apps {
            let name = app.settings.name
            let tokens = try await AppTokens(of: app, keys: keys, resources: resources)
            accessTokens[name] = tokens.access
            engines[name] = AuthEngine(
                app: app.settings,
                ports: shared.ports(
                    passwords: try await shared.hasher(for: name, cost: app.configuration.bcryptCost),
                    compromisedPasswords: try resources.compromisedPasswords.list(of: app.configuration),
                    accessTokens: tokens.access, refreshTokens: tokens.refresh, signingKeys: tokens.signingKeys,
                    identities: try IdentitySources(
                        of: app,
                        with: IdentityDependencies(
                            upstream: { resources.upstreams.client(trusting: $0) },
                            builtIn: builtIn?.asked(by: app, keys: keys), system: system)),
                    hooks: Hooks(app.configuration.hooks, urls: resolved.configuration.events.urls, system: system)),
                after: earlier?.engines[name])
        }
        if let builtIn {
            let name = builtIn.provider.engine.app.name
            engines[name] = builtIn.provider.engine
        }
        self.resolved = resolved
        self.resources = resources
        self.engines = engines
        self.accessTokens = accessTokens
        self.notificationSealer = notificationSealer
        self.builtIn = builtIn
        self.keys = keys
        administered = AdministeredServer(
            apps: resolved.administered(engines), store: store, keys: keys, system: system,
            inMemoryRateLimiter: resources.inMemoryRateLimiter, eventURLs: resolved.configuration.events.urls,
            serviceKeyUses: resources.serviceKeyUses, report: { resources.incidents.report($0) })
        var routes = resolved.routes
        routes.inbox = resources.inbox
        delivery = DeliveryWorker(
            store: store, keys: keys, system: system, signal: signal, routes: routes,
            apps: try Self.presentations(resolved), counts: resources.deliveryCounts, logger: log, tracing: tracing)
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
    func close() async throws { try await resources.close() }

    private static func presentations(_ resolved: ResolvedConfiguration) throws -> [AppName: AppPresentation] {
        var presentations: [AppName: AppPresentation] = [:]
        for app in resolved.apps {
            guard let base = URL(string: app.baseURL) else { continue }
            presentations[app.settings.name] = try AppPresentation(
                displayName: app.configuration.displayName, linkBase: base,
                texts: MessageTexts(app.configuration.language))
        }
        if let provider = resolved.configuration.idp, let base = URL(string: BuiltInProvider.issuer(resolved)) {
            presentations[try AppName(ProviderDirectory.appName)] = try AppPresentation(
                displayName: provider.name, linkBase: base, texts: MessageTexts(provider.language))
        }
        return presentations
    }
}
