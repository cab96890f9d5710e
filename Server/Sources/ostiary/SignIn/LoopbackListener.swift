import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import OstiaryClient
import OstiaryEngine
import OstiaryHTTP
import ServiceLifecycle
import Synchronization

/// Listens on a free port of 127.0.0.1 for the browser's redirect at the end of a sign-in.
///
/// It accepts one answer and refuses everything else: other paths and methods, other names for this address,
/// subresource requests, and malformed answers. It logs nothing.
///
/// Source: RFC 8252 §7.3.
final class LoopbackListener: Sendable {
    private static let path = "/callback"
    private static let limit = Duration.seconds(600)

    private let port = Mutex(0)
    private let answers: AsyncStream<String>
    private let answer: AsyncStream<String>.Continuation

    private init() { (answers, answer) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1)) }

    var redirectURI: String { "http://\(authority)\(Self.path)" }
    private var authority: String { "127.0.0.1:\(port.withLock(\.self))" }

    /// Listens while `body` runs.
    static func listening<Value: Sendable>(
        _ body: @Sendable (LoopbackListener) async throws -> Value
    ) async throws -> Value {
        let listener = LoopbackListener()
        let (ready, isReady) = AsyncStream<Int?>.makeStream()
        // The query holds the code, and a server's log would hold the query.
        let silence = Logger(label: "loopback") { _ in SwiftLogNoOpLogHandler() }
        let application = Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in listener.respond(to: request) },
            server: .plain(idleTimeout: .seconds(30)),
            configuration: .init(
                address: .hostname("127.0.0.1", port: 0), serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(32)),
            onServerRunning: { isReady.yield($0.localAddress?.port) }, logger: silence)
        var configuration = ServiceGroupConfiguration(services: [application], logger: silence)
        configuration.maximumGracefulShutdownDuration = .seconds(2)
        let group = ServiceGroup(configuration: configuration)
        let server = Task {
            defer { isReady.finish() }
            try await group.run()
        }
        var first = ready.makeAsyncIterator()
        guard case .some(.some(let port)) = await first.next() else {
            throw AdministrationProblem("no port of 127.0.0.1 can be listened on")
        }
        listener.port.withLock { $0 = port }
        let result: Result<Value, any Error>
        do { result = .success(try await body(listener)) } catch { result = .failure(error) }
        // Gracefully, so that the browser's page is written to its end.
        await group.triggerGracefulShutdown()
        try? await server.value
        return try result.get()
    }

    /// Returns the address that the browser was redirected to; nil after ten minutes, or if the task was cancelled.
    func wait() async -> String? {
        let timer = Task {
            try await Task.sleep(for: Self.limit)
            answer.finish()
        }
        defer { timer.cancel() }
        return await answers.first { _ in true }
    }

    // MARK: Requests

    private func respond(to request: Request) -> Response {
        guard request.uri.path == Self.path else { return Self.page(.notFound, "There is nothing here.") }
        guard request.method == .get else { return Self.page(.methodNotAllowed, "There is nothing here.") }
        // Another host name that resolves here belongs to a page that attacks this machine (DNS rebinding).
        guard request.head.authority == authority, isNavigation(request) else {
            return Self.page(.forbidden, "This is for the browser that signs in.")
        }
        let address = "http://\(authority)\(request.uri.string)"
        do throws(BrowserCallbackProblem) {
            let callback = try BrowserCallback(address, for: redirectURI)
            // The backend in front of the provider always sends one, and requires it to complete the sign-in.
            guard callback.state != nil else { throw .malformed }
        } catch {
            guard case .refused = error else { return Self.page(.badRequest, "This is no answer to a sign-in.") }
        }
        guard case .enqueued = answer.yield(address) else {
            return Self.page(.conflict, "The sign-in is over. You can close this window.")
        }
        return Self.page(.ok, "You can close this window and go back to the terminal.")
    }

    /// Returns `true` if the request is a navigation, not a page's subresource. Source: Fetch Metadata, §2.2.
    private func isNavigation(_ request: Request) -> Bool {
        let mode = request.headers.first { $0.name.canonicalName == "sec-fetch-mode" }
        return mode.map { $0.value == "navigate" } ?? true
    }

    private static func page(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status,
            headers: [
                .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store", .connection: "close",
                .xContentTypeOptions: "nosniff", .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
            ],
            body: .init(byteBuffer: ByteBuffer(string: "\(text)\n")))
    }
}
