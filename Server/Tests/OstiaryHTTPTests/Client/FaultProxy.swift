import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import OstiaryContracts
import OstiaryTesting
import Synchronization

/// A proxy between a client and a server, on a socket of its own, which applies the test's fault to each request.
///
/// Every connection carries one request: a client's own retry could otherwise not be told from the HTTP library's.
final class FaultProxy: Sendable {
    /// The fault that is applied to a request.
    indirect enum Fault: Sendable {
        case none
        /// The request does not reach the server.
        case dropBeforeSend
        /// The server has handled the request, and its response is dropped.
        case dropAfterCommit
        /// The second half of the response's body is replaced.
        case corrupt
        /// The proxy answers in place of the server.
        case answer(status: Int, retryAfter: Int? = nil, body: String = "")
        /// The request waits on its way to the server until the test releases it.
        case held(HoldingPoint, then: Fault = .none)
        /// The response waits on its way back.
        case answerHeld(HoldingPoint, then: Fault = .none)
    }

    struct Seen: Sendable {
        let method: String
        let path: String
        let bearer: String?
        /// The request's number, from 1.
        let number: Int
        var isRefresh: Bool { path.hasSuffix("/refresh") || path.hasSuffix("/refresh-token") }
    }

    private struct State {
        var seen: [Seen] = []
        var secrets: Set<String> = []
        var fault: @Sendable (Seen) -> Fault = { _ in .none }
    }

    let port: Int
    private let upstream: String
    private let client: HTTPClient
    private let state = Mutex(State())

    var origin: String { "http://127.0.0.1:\(port)" }
    var seen: [Seen] { state.withLock { $0.seen } }
    var refreshes: Int { seen.count { $0.isRefresh } }

    /// Every password, code and token that has passed, in either direction.
    var secrets: Set<String> { state.withLock { $0.secrets } }

    /// Sets the fault of all later requests.
    func set(_ fault: @escaping @Sendable (Seen) -> Fault) { state.withLock { $0.fault = fault } }

    private init(port: Int, upstream: String, client: HTTPClient) {
        self.port = port
        self.upstream = upstream
        self.client = client
    }

    /// Runs in front of a server, and stops when `body` has returned.
    static func run<Result>(
        inFrontOf upstream: String, _ body: (FaultProxy) async throws -> Result
    ) async throws -> Result {
        let client = HTTPClient(configuration: .init(redirectConfiguration: .disallow))
        do {
            let result = try await serve(upstream, client, body)
            try await client.shutdown()
            return result
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    private static func serve<Result>(
        _ upstream: String, _ client: HTTPClient, _ body: (FaultProxy) async throws -> Result
    ) async throws -> Result {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    let connection = try Connection(wrappingChannelSynchronously: channel)
                    // A connection that is accepted while the listener closes has no consumer, and must not be released
                    // before its channel has closed.
                    channel.closeFuture.whenComplete { _ in withExtendedLifetime(connection) {} }
                    return connection
                }
            }
        let proxy = FaultProxy(
            port: listener.channel.localAddress?.port ?? 0, upstream: upstream, client: client)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                try await listener.executeThenClose { connections in
                    try await withThrowingDiscardingTaskGroup { group in
                        for try await connection in connections {
                            // A client that disconnects does not affect the other connections.
                            group.addTask { try? await proxy.handle(connection) }
                        }
                        // No further client connects, so tasks that wait for a disconnected client can be cancelled.
                        group.cancelAll()
                    }
                }
            }
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await body(proxy)) } catch { result = .failure(error) }
            try await listener.channel.close()
            try await tasks.waitForAll()
            return try result.get()
        }
    }

    private func handle(_ connection: Connection) async throws {
        try await connection.executeThenClose { inbound, outbound in
            var head: HTTPRequestHead?
            var body = ByteBuffer()
            for try await part in inbound {
                switch part {
                case .head(let received): head = received
                case .body(var bytes): body.writeBuffer(&bytes)
                case .end:
                    guard let head else { return }
                    return try await answer(head, body, outbound)
                }
            }
        }
    }

    private func answer(
        _ head: HTTPRequestHead, _ body: ByteBuffer, _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        let fault = state.withLock { state in
            let path = String(head.uri.split(separator: "?").first ?? "")
            let seen = Seen(
                method: head.method.rawValue, path: path, bearer: head.headers.first(name: "authorization"),
                number: state.seen.count + 1)
            state.seen.append(seen)
            return state.fault(seen)
        }
        guard let answer = try await answer(to: head, body, fault) else { return }
        var headers = answer.headers
        headers.replaceOrAdd(name: "connection", value: "close")
        headers.replaceOrAdd(name: "content-length", value: "\(answer.body.readableBytes)")
        headers.remove(name: "transfer-encoding")
        try await outbound.write(.head(HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)))
        try await outbound.write(.body(.byteBuffer(answer.body)))
        try await outbound.write(.end(nil))
    }

    private struct Answer {
        var status: HTTPResponseStatus
        var headers: HTTPHeaders
        var body: ByteBuffer
    }

    /// - Returns: Nil to close the connection without a response.
    private func answer(to head: HTTPRequestHead, _ body: ByteBuffer, _ fault: Fault) async throws -> Answer? {
        switch fault {
        case .none: return try await forward(head, body)
        case .dropBeforeSend: return nil
        case .dropAfterCommit:
            _ = try await forward(head, body)
            return nil
        case .corrupt:
            var answer = try await forward(head, body)
            let kept = answer.body.readableBytes / 2
            answer.body = ByteBuffer(bytes: Array(answer.body.readableBytesView.prefix(kept)) + [0xFF, 0x00])
            return answer
        case .answer(let status, let retryAfter, let text):
            var headers: HTTPHeaders = [:]
            if let retryAfter { headers.add(name: "retry-after", value: "\(retryAfter)") }
            return Answer(status: .init(statusCode: status), headers: headers, body: ByteBuffer(string: text))
        case .held(let point, let next):
            try await point.hold()
            return try await answer(to: head, body, next)
        case .answerHeld(let point, let next):
            let answer = try await answer(to: head, body, next)
            try await point.hold()
            return answer
        }
    }

    private func forward(_ head: HTTPRequestHead, _ body: ByteBuffer) async throws -> Answer {
        var request = HTTPClientRequest(url: upstream + head.uri)
        request.method = head.method
        request.headers = head.headers
        for name in ["host", "connection", "content-length"] { request.headers.remove(name: name) }
        request.body = .bytes(body)
        let response = try await client.execute(request, timeout: .seconds(60))
        let answer = Answer(
            status: response.status, headers: response.headers, body: try await response.body.collect(upTo: 1 << 20))
        let found = [body, answer.body].flatMap {
            Self.secrets(in: (try? JSON.read(Array($0.readableBytesView))) ?? .null)
        }
        state.withLock { $0.secrets.formUnion(found) }
        return answer
    }

    private static func secrets(in json: JSON) -> [String] {
        guard case .object(let members) = json else { return [] }
        return members.flatMap { member in
            let name = member.name.lowercased()
            if case .string(let text) = member.value,
                ["token", "password", "otp", "code", "key"].contains(where: { name.contains($0) }), name != "token_type"
            {
                return [text]
            }
            return secrets(in: member.value)
        }
    }
}
