import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import OstiaryEngine
import OstiaryHTTP
import ServiceLifecycle
import Synchronization

/// A Hummingbird application on a free loopback port, with the connection limits in front of it.
struct TestServer: Sendable {
    let port: Int
    let metrics: ConnectionMetrics
    let record: Record
    let group: ServiceGroup

    /// The events that the routes record and wait for.
    final class Record: Sendable {
        private let requests = Mutex<[String]>([])
        /// One element for each body that did not arrive and each response that could not be written.
        let failures: AsyncStream<String>
        let failed: AsyncStream<String>.Continuation
        /// One element for each request to `/wait`.
        let arrivals: AsyncStream<Void>
        let arrived: AsyncStream<Void>.Continuation
        /// Each element releases one request to `/wait`.
        let permits: AsyncStream<Void>
        let permit: AsyncStream<Void>.Continuation

        init() {
            (failures, failed) = AsyncStream.makeStream()
            (arrivals, arrived) = AsyncStream.makeStream()
            (permits, permit) = AsyncStream.makeStream()
        }

        var seen: [String] { requests.withLock { $0 } }
        func see(_ request: Request) { requests.withLock { $0.append("\(request.method) \(request.uri)") } }
    }

    /// Trust in this machine, for tests of more connections than one network may have.
    static let loopback = ProxyTrust(
        proxies: [IPAddress("127.0.0.1").flatMap { AddressRange(first: $0, prefixLength: 32) }].compactMap(\.self))

    static func run<Result>(
        limits: ConnectionLimits = ConnectionLimits(), certificate: TLSCertificate? = nil,
        proxies: ProxyTrust = ProxyTrust(),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ body: (TestServer) async throws -> Result
    ) async throws -> Result {
        let settings = ConnectionSettings(limits: limits, certificate: certificate, proxies: proxies)
        return try await run(settings: { settings }, logger: logger, body)
    }

    /// - Parameter settings: Returns the settings of a connection that is being accepted.
    static func run<Result>(
        settings: @escaping @Sendable () -> ConnectionSettings,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ body: (TestServer) async throws -> Result
    ) async throws -> Result {
        let metrics = ConnectionMetrics()
        let record = Record()
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: routes(record),
            server: .guarded(settings: settings, metrics: metrics) { refusal in
                ServerResponse(
                    status: refusal.status.code, headers: ["content-type": "application/json"],
                    body: Array(#"{"error":"\#(refusal.kind.rawValue)"}"#.utf8))
            },
            configuration: .init(address: .hostname("127.0.0.1", port: 0), backlog: 4096),
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
            let result = try await body(TestServer(port: port, metrics: metrics, record: record, group: group))
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return result
        }
    }

    struct NotRunning: Error {}

    /// Polls until the counts satisfy the condition.
    func until(_ isReached: (ConnectionMetrics.Counts) -> Bool) async throws {
        while !isReached(metrics.counts) {
            _ = try await RawConnection.exchange(
                port: port, "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        }
    }

    /// Polls until a route has received the request.
    func untilSeen(_ request: String) async throws {
        try await until { _ in record.seen.contains(request) }
    }

    private static func routes(_ record: Record) -> Router<BasicRequestContext> {
        let router = Router()
        router.get("healthz") { request, _ in
            record.see(request)
            return "ok"
        }
        router.post("echo") { request, _ in
            record.see(request)
            do {
                let body = try await request.body.collect(upTo: 1 << 20)
                return "[\(request.headers[.authorization] ?? ""):\(String(buffer: body))]"
            } catch {
                record.failed.yield("\(error)")
                throw error
            }
        }
        router.post("ignore") { request, _ in
            record.see(request)
            return "ignored"
        }
        router.get("wait") { request, _ in
            record.see(request)
            record.arrived.yield()
            for await _ in record.permits { break }
            return "waited"
        }
        router.get("endless") { request, _ in
            record.see(request)
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    do {
                        while true { try await writer.write(ByteBuffer(repeating: 0x78, count: 65_536)) }
                    } catch {
                        record.failed.yield("write")
                        throw error
                    }
                })
        }
        return router
    }
}
