import Foundation
import OstiaryCore
import OstiaryEngine
@testable import OstiaryEvents
import OstiaryTestSupport
import Testing

/// The requests to other systems, against real sockets.
@Suite(.timeLimit(.minutes(2))) struct WebhookClientTests {
    private static let development = EventURLPolicy(allowsPlainLoopback: true)

    private static func request(to url: String, timeout: Duration = .seconds(10)) throws -> WebhookRequest {
        let secret = try #require(WebhookSecret(Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")))
        return WebhookRequest(
            to: url, id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: Array(#"{"test": 2432232314}"#.utf8),
            signedWith: [secret], at: Date(timeIntervalSince1970: 1_614_265_330), timeout: timeout)
    }

    @Test func `posts the body with the signature of Standard Webhooks`() async throws {
        let peer = try LoopbackPeer { _ in .text("HTTP/1.1 204 No Content\r\n\r\n") }
        defer { peer.stop() }
        let answer = try await WebhookClient(policy: Self.development)
            .send(Self.request(to: "http://127.0.0.1:\(peer.port)/hook?a=1"))
        #expect(answer.status == 204 && answer.isSuccess)
        let text = try #require(peer.requests.first)
        #expect(text.hasPrefix("POST /hook?a=1 HTTP/1.1\r\n"))
        for line in [
            "webhook-id: msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp: 1614265330",
            "webhook-signature: v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", "Content-Type: application/json",
            "User-Agent: Ostiary",
        ] {
            #expect(text.contains("\r\n\(line)\r\n"), "\(line)")
        }
        #expect(text.hasSuffix(#"{"test": 2432232314}"#) && !text.contains("Expect"))
    }

    /// The name resolves to an address of this machine: with the resolver of the attacker, after the URL was accepted.
    @Test func `WH-01: refuses a name that resolves to an address that is not allowed`() async throws {
        let peer = try LoopbackPeer { _ in .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
        defer { peer.stop() }
        let client = WebhookClient(
            policy: EventURLPolicy(), resolution: "crm.example.com:\(peer.port):127.0.0.1,[::1]")
        await #expect(throws: WebhookFailure.addressRefused) {
            try await client.send(Self.request(to: "https://crm.example.com:\(peer.port)/"))
        }
        #expect(peer.connections == 0)
    }

    @Test(arguments: [
        "10.0.0.1", "169.254.169.254", "100.64.0.1", "[::ffff:192.168.0.1]", "[fd00::1]", "[64:ff9b::7f00:1]",
    ])
    func `WH-01: refuses every kind of private address before it connects`(address: String) async throws {
        let client = WebhookClient(policy: EventURLPolicy(), resolution: "crm.example.com:443:\(address)")
        await #expect(throws: WebhookFailure.addressRefused) {
            try await client.send(Self.request(to: "https://crm.example.com/"))
        }
    }

    @Test func `WH-02: follows no redirect`() async throws {
        let target = try LoopbackPeer { _ in .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
        let peer = try LoopbackPeer { _ in
            .text(
                "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:\(target.port)/\r\nContent-Length: 0\r\n\r\n"
            )
        }
        defer {
            peer.stop()
            target.stop()
        }
        let answer = try await WebhookClient(policy: Self.development)
            .send(Self.request(to: "http://127.0.0.1:\(peer.port)/"))
        #expect(answer.status == 307 && !answer.isSuccess && target.connections == 0)
    }

    @Test func `reads 64 KiB of an answer`() async throws {
        let peer = try LoopbackPeer { _ in
            .last("HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n" + String(repeating: "x", count: 200_000))
        }
        defer { peer.stop() }
        let answer = try await WebhookClient(policy: Self.development)
            .send(Self.request(to: "http://127.0.0.1:\(peer.port)/"))
        #expect(answer.status == 200 && answer.isTruncated && answer.body.count == 65_536)
    }

    @Test func `gives up an answer that does not come, and one that comes byte by byte`() async throws {
        let silent = try LoopbackPeer { _ in .silence }
        let slow = try LoopbackPeer { _ in
            .drip(head: "HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n", UInt8(ascii: "x"))
        }
        defer {
            silent.stop()
            slow.stop()
        }
        for port in [silent.port, slow.port] {
            await #expect(throws: WebhookFailure.timedOut) {
                try await WebhookClient(policy: Self.development)
                    .send(Self.request(to: "http://127.0.0.1:\(port)/", timeout: .milliseconds(300)))
            }
        }
    }

    @Test func `refuses plain HTTP outside development`() async throws {
        let peer = try LoopbackPeer { _ in .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
        defer { peer.stop() }
        for policy in [EventURLPolicy(), EventURLPolicy(allowsPrivate: true)] {
            await #expect(throws: WebhookFailure.addressRefused) {
                try await WebhookClient(policy: policy).send(Self.request(to: "http://127.0.0.1:\(peer.port)/"))
            }
        }
        #expect(peer.connections == 0)
    }

    @Test func `reports a host that is not there, and a peer that speaks no TLS`() async throws {
        let peer = try LoopbackPeer { _ in .silence }
        defer { peer.stop() }
        let client = WebhookClient(policy: EventURLPolicy(allowsPrivate: true))
        for url in ["https://127.0.0.1:\(peer.port)/", "https://no-such-host.invalid/"] {
            let request = try Self.request(to: url, timeout: .seconds(5))
            let failure = await #expect(throws: WebhookFailure.self) { try await client.send(request) }
            #expect(failure != .addressRefused && failure != .cancelled)
        }
    }

    @Test func `ends when its task is cancelled`() async throws {
        let peer = try LoopbackPeer { _ in .silence }
        defer { peer.stop() }
        let request = try Self.request(to: "http://127.0.0.1:\(peer.port)/", timeout: .seconds(60))
        let sending = Task { try await WebhookClient(policy: Self.development).send(request) }
        sending.cancel()
        await #expect(throws: WebhookFailure.cancelled) { try await sending.value }
    }
}
