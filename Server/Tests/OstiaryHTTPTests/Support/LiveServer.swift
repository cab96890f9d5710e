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
        let served = application
        return try await serve(logger: logger) { port in
            try await body(LiveServer(port: port, metrics: served.metrics))
        } service: { bound in
            GuardedListener(
                responder, host: "127.0.0.1", port: 0, metrics: ConnectionMetrics(),
                refusalResponse: { served.response(to: $0) }, logger: logger
            ) { bound.yield($0.localAddress?.port ?? 0) }
        }
    }

    /// Serves a third party's service on a free port, and stops when `body` has returned.
    static func serve<Responder: HTTPResponder, Result>(
        _ responder: Responder, logger: Logger, _ body: (_ port: Int) async throws -> Result
    ) async throws -> Result where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        try await serve(logger: logger, body) { bound in
            Application(
                responder: responder, server: .plain(idleTimeout: .seconds(60)),
                configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: nil),
                onServerRunning: { bound.yield($0.localAddress?.port ?? 0) },
                logger: logger)
        }
    }

    /// - Parameter service: Returns the service, which passes its port on.
    private static func serve<Result>(
        logger: Logger, _ body: (_ port: Int) async throws -> Result,
        service: (AsyncStream<Int>.Continuation) -> any Service
    ) async throws -> Result {
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let group = ServiceGroup(configuration: .init(services: [service(bound)], logger: logger))
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
