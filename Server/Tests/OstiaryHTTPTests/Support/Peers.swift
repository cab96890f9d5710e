import Logging
import OstiaryEngine
import Testing

@testable import OstiaryHTTP

extension ServerApplication {
    /// Returns the status of the response to a GET from another machine, which no socket can simulate.
    func status(of path: String, from peer: String, forwardedFor forwarded: String? = nil) async throws -> Int {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let head = RequestHead(
            method: "GET", authority: "localhost", path: path,
            headers: HeaderList(forwarded.map { [("X-Forwarded-For", $0)] } ?? []))
        let peer = try #require(IPAddress(peer))
        let answer = await RootResponder(application: self, log: logger).respond(
            to: ReceivedRequest(head: head, peer: peer))
        return answer.head.status
    }
}
