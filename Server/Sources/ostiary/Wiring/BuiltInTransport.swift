import OstiaryContracts
import OstiaryEngine
import OstiaryHTTP
import OstiaryIdentities
import Synchronization

/// Reaches the built-in provider in the same process without a socket: no port, no name resolution, the same checks.
final class BuiltInTransport: UpstreamTransport {
    /// The prefix of every URL of the provider.
    private let issuer: String
    /// Nil until the server is assembled, and in commands, which serve nothing.
    private let server = Mutex<ProviderServer?>(nil)

    init(issuer: String) { self.issuer = issuer }

    func reach(_ server: ProviderServer) { self.server.withLock { $0 = server } }

    struct NotServed: Error {}

    func send(_ request: UpstreamRequest) async throws -> UpstreamResponse {
        guard let server = server.withLock({ $0 }), request.url.utf8.starts(with: issuer.utf8) else {
            throw NotServed()
        }
        let target = String(Substring(request.url.utf8.dropFirst(issuer.utf8.count)))
        let shared = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var wire = WireRequest(
            method: request.method.rawValue, path: String(shared[0]), query: shared.count > 1 ? String(shared[1]) : "",
            body: request.body)
        for (name, value) in request.headers { wire.headers[name.lowercased()] = value }
        let answer = await server.answer(wire, from: Caller()).response
        return UpstreamResponse(
            status: answer.status, headers: answer.headers.map { (name: $0.key, value: $0.value) }, body: answer.body)
    }
}
