#if NIO
import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryNIO
import OstiaryTesting

/// One request with secrets in it to a TLS server: what came of it, and what the server saw.
struct TLSAttempt {
    let result: Result<WireResponse, TransportError>
    let seen: TLSPeer.Connection

    init(
        presenting chain: [String], pins: PinSet = .none, trusting roots: TrustRoots? = nil,
        at host: String = "localhost",
        now: Date = TestClock.start, newestVersion: String = "TLSv1_3"
    ) async throws {
        let authority = try await TestAuthority.shared.value
        let listening = host.contains(":") ? "::1" : "127.0.0.1"
        let peer = try await TLSPeer(
            chain, of: authority, requestsPerConnection: 1, newestVersion: newestVersion, host: listening)
        defer { peer.stop() }
        var system = ClientDependencies.system
        system.now = { now }
        let transport = try NIOTransport(
            pins: pins, roots: roots ?? authority.roots("root"), system: system)
        let request = WireRequest(
            method: "POST", path: "/login", headers: ["authorization": "Bearer canary"], body: Array("hunter2".utf8))
        let url = try peer.url(host)
        do throws(TransportError) {
            result = .success(try await transport.send(request, to: url, within: .seconds(20)))
        } catch {
            result = .failure(error)
        }
        seen = try await peer.ended()
    }

    var isAnswered: Bool { (try? result.get().status) == 200 && seen.requests == ["POST /login HTTP/1.1"] }

    /// Whether it failed like that, and before anything was sent.
    func isRefused(_ error: TransportError) -> Bool {
        result == .failure(error) && seen.bytes == 0 && !seen.isOpened
    }
}

extension PinSet {
    /// Those of certificates of the test authority, and one in reserve.
    static func of(
        _ names: String..., expires: Date? = nil, afterExpiry: AfterExpiry = .systemDecides
    ) async throws -> PinSet {
        let authority = try await TestAuthority.shared.value
        return try PinSet(
            names.map(authority.pin) + ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="], expires: expires,
            afterExpiry: afterExpiry)
    }
}
#endif
