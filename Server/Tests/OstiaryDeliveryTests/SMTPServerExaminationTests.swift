import Foundation
import OstiaryDelivery
import Testing

@Suite(.timeLimit(.minutes(1))) struct SMTPServerExaminationTests {
    private func examine(
        _ peer: Peer, scheme: String = "smtp", credentials: String = "", trusting: String? = nil, tls: Bool = false
    ) async throws -> SMTPServer.Reachability {
        let server = try SMTPServer(
            url: "\(scheme)://\(credentials)127.0.0.1:\(peer.port)", certificateAuthorities: trusting,
            requiresTLSOnLoopback: tls)
        return await server.examine(from: try Mailbox("no-reply@example.com"))
    }

    @Test func `a login by STARTTLS is accepted, and nothing without a trusted certificate`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "ostiary-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let peer = try await Peer(
            "smtp_peer.py", "--tls", "starttls", "--user", "mail:right", "--directory", directory.path())
        let authority = peer.authority
        #expect(try await examine(peer, credentials: "mail:right@", trusting: authority, tls: true) == .ready)
        #expect(try await examine(peer, credentials: "mail:wrong@", trusting: authority, tls: true) == .loginRefused)
        #expect(try await examine(peer, credentials: "mail:right@", tls: true) == .untrusted)
    }

    @Test func `a server without TLS is recognized`() async throws {
        let peer = try await Peer("smtp_peer.py")
        #expect(try await examine(peer) == .ready)
        #expect(try await examine(peer, tls: true) == .withoutTLS)
        #expect(try await examine(peer, scheme: "smtps") == .withoutTLS)
    }
}
