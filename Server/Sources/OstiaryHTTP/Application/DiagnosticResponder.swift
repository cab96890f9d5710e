package import Foundation
import OstiaryContracts
package import OstiaryEngine

/// Answers `ostiary doctor` what the server sees of its request. Other clients get the usual answer.
package struct DiagnosticResponder: Sendable {
    private let keys: KeyRing
    private let proxies: ProxyTrust
    private let now: @Sendable () -> Date

    package init(keys: KeyRing, proxies: ProxyTrust, now: @escaping @Sendable () -> Date) {
        self.keys = keys
        self.proxies = proxies
        self.now = now
    }

    /// - Returns: Nil for a request without a valid ``DiagnosticToken``.
    func response(to request: ReceivedRequest, peer: IPAddress, client: IPAddress) -> ServerResponse? {
        guard let token = request.headers.first(DiagnosticToken.header),
            DiagnosticToken.isValid(token, with: keys, at: now())
        else { return nil }
        let hops = request.headers.values(of: "x-forwarded-for").flatMap { value in
            value.utf8.split(separator: UInt8(ascii: ",")).map { hop in
                JSON.string(String(decoding: hop.filter { $0 != ASCII.space && $0 != ASCII.tab }, as: UTF8.self))
            }
        }
        let document: JSON = [
            "peer": .string(peer.description), "peer_trusted": .boolean(proxies.isTrusted(peer)),
            "client": .string(client.description), "forwarded_for": .array(hops),
            "host": .string(request.head.authority ?? ""),
        ]
        return ServerResponse(
            status: 200, headers: ["content-type": "application/json; charset=utf-8"], body: document.bytes)
    }
}
