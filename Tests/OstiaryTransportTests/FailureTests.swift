import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryTestSupport
import Testing

/// What goes wrong on the way, and by which name.
struct FailureTests {
    @Test(arguments: TestedTransport.allCases)
    func `calls a closed port offline`(_ tested: TestedTransport) async throws {
        let socket = try LoopbackSocket()
        defer { close(socket.descriptor) }
        await #expect(throws: TransportError.offline) {
            try await tested.made().send(
                .sample, to: BaseURL("http://127.0.0.1:\(socket.port)"), within: .seconds(20))
        }
    }

    @Test(arguments: TestedTransport.allCases)
    func `calls a host without an address offline`(_ tested: TestedTransport) async throws {
        await #expect(throws: TransportError.offline) {
            try await tested.made().send(.sample, to: BaseURL("https://nowhere.invalid"), within: .seconds(20))
        }
    }

    @Test(
        arguments: TestedTransport.allCases,
        [
            "", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
        ])
    func `calls a connection lost that breaks before the answer is whole`(_ tested: TestedTransport, _ text: String)
        async throws
    {
        let peer = try LoopbackPeer { _ in .last(text) }
        defer { peer.stop() }
        await #expect(throws: TransportError.connectionLost) { try await tested.made().send(to: peer) }
        #expect(peer.requests.count == 1)
    }

    @Test(
        arguments: TestedTransport.allCases,
        [
            "220 mail.example.com ESMTP\r\n", "HTTP/1.1 abc\r\n\r\n", "\u{1}\u{2}\u{3}",
        ])
    func `calls what is not HTTP by its name`(_ tested: TestedTransport, _ text: String) async throws {
        let peer = try LoopbackPeer { _ in .last(text) }
        defer { peer.stop() }
        await #expect(throws: TransportError.notHTTP) { try await tested.made().send(to: peer) }
    }

    @Test(arguments: TestedTransport.allCases)
    func `does not trust a server without TLS`(_ tested: TestedTransport) async throws {
        let peer = try LoopbackPeer(greeting: "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n") { _ in .silence }
        defer { peer.stop() }
        await #expect(throws: TransportError.untrusted) {
            try await tested.made().send(.sample, to: BaseURL("https://127.0.0.1:\(peer.port)"), within: .seconds(20))
        }
        #expect(!peer.requests.contains { $0.contains("canary") })
    }
}
