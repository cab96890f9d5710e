import Hummingbird
import Logging
import NIOCore
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import OstiaryServerTestSupport
import ServiceLifecycle

/// A world's application on a free loopback port, stopped when the test's body returns.
struct LiveServer: Sendable {
    let port: Int
    let metrics: Metrics

    var origin: String { "http://127.0.0.1:\(port)" }

    /// - Parameter adjust: Changes the application before it is served.
    static func run<Result>(
        _ world: World, adjust: (inout ServerApplication) -> Void = { _ in },
        _ body: (LiveServer) async throws -> Result
    ) async throws -> Result {
        var application = ServerApplication(world)
        adjust(&application)
        let logger = world.log.logger
        let responder = RootResponder(application: application, log: logger)
        return try await serve(responder, guarding: application, logger: logger) { port in
            try await body(LiveServer(port: port, metrics: application.metrics))
        }
    }

    /// Serves on a free port, and stops when `body` has returned.
    ///
    /// - Parameter application: The application whose connection limits are in front of the responder; nil for a third
    ///   party's service without them.
    static func serve<Responder: HTTPResponder, Result>(
        _ responder: Responder, guarding application: ServerApplication? = nil, logger: Logger,
        _ body: (_ port: Int) async throws -> Result
    ) async throws -> Result where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            responder: responder,
            server: application.map { application in
                .guarded(metrics: ConnectionMetrics(), refusalResponse: { application.response(to: $0) })
            } ?? .plain(idleTimeout: .seconds(60)),
            configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { bound.yield($0.localAddress?.port ?? 0) },
            logger: logger)
        let group = ServiceGroup(configuration: .init(services: [application], logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { bound.finish() }
                try await group.run()
            }
            var iterator = ports.makeAsyncIterator()
            guard let port = await iterator.next() else { throw NotRunning() }
            let result = try await body(port)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return result
        }
    }

    struct NotRunning: Error {}
}

extension ServerApplication {
    /// Creates an application with every app of the world under its name, as development mode serves them, without an
    /// inbox.
    init(_ world: World) {
        self.init(
            mounts: world.apps.map { app in
                AppMount(name: app.name, base: "/\(app.name)", hosts: [], baseURL: app.issuer, app: app.server)
            },
            metrics: Metrics(), store: world.store, inbox: nil, showsMetrics: true, isSecure: false)
    }
}
