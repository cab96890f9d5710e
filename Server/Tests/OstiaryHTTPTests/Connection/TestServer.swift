import Logging
import NIOCore
import OstiaryEngine
import ServiceLifecycle
import Synchronization

@testable import OstiaryHTTP

/// A listener on a free loopback port, with a few routes behind its limits.
struct TestServer: Sendable {
    let port: Int
    let metrics: ConnectionMetrics
    let record: Record
    let group: ServiceGroup

    /// The events that the routes record and wait for.
    final class Record: Sendable {
        private let requests = Mutex<[String]>([])
        /// One element for each response that could not be written.
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
        func see(_ request: String) { requests.withLock { $0.append(request) } }
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
        let listener = GuardedListener(
            Routes(record: record), host: "127.0.0.1", port: 0, backlog: 4096, settings: settings, metrics: metrics,
            refusalResponse: { refusal in
                ServerResponse(
                    status: refusal.status, headers: ["content-type": "application/json"],
                    body: Array(#"{"error":"\#(refusal.kind.rawValue)"}"#.utf8))
            }, logger: logger
        ) { bound.yield($0.localAddress?.port ?? 0) }
        let group = ServiceGroup(configuration: .init(services: [listener], logger: logger))
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

    private struct Routes: RequestResponder {
        let record: Record

        func respond(to request: ReceivedRequest) async -> OutgoingResponse {
            let target = "\(request.head.method) \(request.head.path)"
            record.see(target)
            switch target {
            case "GET /healthz": return answer("ok")
            case "POST /echo":
                return answer("[\(request.headers.first("authorization") ?? ""):\(String(buffer: request.body))]")
            case "POST /ignore": return answer("ignored")
            case "GET /wait":
                record.arrived.yield()
                for await _ in record.permits { break }
                return answer("waited")
            case "GET /endless":
                let stream = ResponseStream { write in
                    do {
                        while true { try await write([UInt8](repeating: 0x78, count: 65_536)) }
                    } catch {
                        record.failed.yield("write")
                        throw error
                    }
                }
                return OutgoingResponse(head: ResponseHead(status: 200), body: .stream(stream))
            default: return OutgoingResponse(head: ResponseHead(status: 404), body: .bytes([]))
            }
        }

        private func answer(_ text: String) -> OutgoingResponse {
            OutgoingResponse(head: ResponseHead(status: 200), body: .bytes(Array(text.utf8)))
        }
    }
}
