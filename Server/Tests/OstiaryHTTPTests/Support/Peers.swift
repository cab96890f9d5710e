import HTTPTypes
import Logging
import OstiaryEngine
import OstiaryHTTP
import Testing

extension ServerApplication {
    /// Returns the status of the response to a GET from another machine, which no socket can simulate.
    func status(of path: String, from peer: String, forwardedFor forwarded: String? = nil) async throws -> Int {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
        if let forwarded, let name = HTTPField.Name("X-Forwarded-For") { head.headerFields[name] = forwarded }
        let peer = try #require(IPAddress(peer))
        let answer = await RootResponder(application: self, log: logger).respond(
            to: ReceivedRequest(head: head, peer: peer))
        return answer.head.status.code
    }
}
