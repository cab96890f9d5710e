#if NIO
import Foundation
import OstiaryClient
import OstiaryNIO
import OstiaryTestSupport
import Testing

struct ServerCertificatesTests {
    private let authority: TestAuthority

    init() async throws { authority = try await TestAuthority.shared.value }

    private func certificates(
        _ chain: [String], at host: String = "localhost", trusting roots: TrustRoots? = nil
    ) async throws -> ServerCertificates {
        let peer = try await TLSPeer(chain, of: authority)
        defer { peer.stop() }
        let found = try await ServerCertificates.shown(
            by: peer.url(host), roots: roots ?? authority.roots("root"), within: .seconds(20))
        let seen = try await peer.ended()
        #expect(seen.bytes == 0 && !seen.isOpened)
        return found
    }

    @Test func `lists the validated chain to its root, with OpenSSL's pins`() async throws {
        let found = try await certificates(["leaf", "intermediate"])
        #expect(found.problem == nil)
        #expect(found.certificates.map(\.pin.description) == ["leaf", "intermediate", "root"].map(authority.pin))
        #expect(found.certificates.map(\.subject) == ["CN=localhost", "CN=Test intermediate", "CN=Test root"])
        #expect(found.certificates.allSatisfy { $0.expires > Date() })
    }

    @Test func `lists what was presented where nobody trusted vouches for it, and says so`() async throws {
        let found = try await certificates(["leaf", "intermediate"], trusting: authority.roots("other"))
        #expect(found.problem != nil)
        #expect(found.certificates.map(\.pin.description) == ["leaf", "intermediate"].map(authority.pin))
    }

    @Test(arguments: ["elsewhere", "expired", "client", "nameless"])
    func `says that a certificate is no good`(_ name: String) async throws {
        let found = try await certificates([name, "intermediate"])
        #expect(found.problem?.isEmpty == false && found.certificates.first?.pin.description == authority.pin(name))
    }

    @Test func `says why there are none`() async throws {
        let socket = try LoopbackSocket()
        defer { close(socket.descriptor) }
        await #expect(throws: TransportError.offline) {
            try await ServerCertificates.shown(
                by: BaseURL("https://127.0.0.1:\(socket.port)"), within: .seconds(20))
        }
        let silent = try LoopbackPeer { _ in .silence }
        defer { silent.stop() }
        await #expect(throws: TransportError.timedOut) {
            try await ServerCertificates.shown(
                by: BaseURL("https://127.0.0.1:\(silent.port)"), within: .milliseconds(200))
        }
        let plain = try LoopbackPeer(greeting: "HTTP/1.1 400 Bad Request\r\n\r\n") { _ in .silence }
        defer { plain.stop() }
        await #expect(throws: TransportError.untrusted) {
            try await ServerCertificates.shown(by: BaseURL("https://127.0.0.1:\(plain.port)"), within: .seconds(20))
        }
    }

    @Test(arguments: ["", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n", "nonsense"])
    func `refuses roots that cannot be read`(_ pem: String) {
        #expect(throws: TrustRootsProblem.unreadable) { try TrustRoots(pem: pem.utf8) }
    }
}
#endif
