import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import OstiaryHTTP

extension ServerApplication {
    /// Returns the status of the response to a GET from another machine, which no socket can simulate.
    func status(of path: String, from peer: String, forwardedFor forwarded: String? = nil) async throws -> Int {
        let channel = NIOAsyncTestingChannel()
        channel.remoteAddress = try SocketAddress(ipAddress: peer, port: 40_000)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
        if let forwarded, let name = HTTPField.Name("X-Forwarded-For") { head.headerFields[name] = forwarded }
        let response = try await RootResponder(application: self, log: logger).respond(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
            context: ServerRequestContext(source: ApplicationRequestContextSource(channel: channel, logger: logger)))
        return response.status.code
    }
}
