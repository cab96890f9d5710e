#if NIO
import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryNIO
import OstiaryTestSupport
import OstiaryTesting
import Testing

struct PinningTests {
    private let chain = ["leaf", "intermediate"]

    @Test(arguments: ["leaf", "intermediate", "root"], ["localhost", "127.0.0.1", "[::1]"])
    func `speaks to a server that has a pin anywhere in its chain`(_ name: String, _ host: String) async throws {
        let attempt = try await TLSAttempt(presenting: chain, pins: .of(name), at: host)
        #expect(attempt.isAnswered)
    }

    @Test(arguments: ["TLSv1_2", "TLSv1_3"])
    func `refuses a server without a pin before a byte is written`(_ version: String) async throws {
        let attempt = try await TLSAttempt(presenting: chain, pins: .of("other", "foreign"), newestVersion: version)
        #expect(attempt.isRefused(.pinMismatch))
    }

    @Test func `a pin does not stand in for a trusted root`() async throws {
        let attempt = try await TLSAttempt(
            presenting: chain, pins: await .of("leaf", "intermediate", "root"),
            trusting: await TestAuthority.shared.value.roots("other"))
        #expect(attempt.isRefused(.untrusted))
    }

    @Test(arguments: ["elsewhere", "expired", "client", "nameless", "weak"])
    func `a pin does not stand in for a good certificate`(_ name: String) async throws {
        let attempt = try await TLSAttempt(
            presenting: [name, "intermediate"], pins: await .of(name, "intermediate", "root"))
        #expect(attempt.isRefused(.untrusted))
    }

    @Test func `a good certificate of another host is none for an address`() async throws {
        let attempt = try await TLSAttempt(presenting: ["elsewhere", "intermediate"], at: "127.0.0.1")
        #expect(attempt.isRefused(.untrusted))
    }

    @Test(arguments: [["pretender", "leaf", "intermediate"], ["underling", "unlicensed"]])
    func `a certificate that may not sign vouches for none`(_ chain: [String]) async throws {
        let attempt = try await TLSAttempt(presenting: chain, pins: .of(chain[0], chain[1], "root"))
        #expect(attempt.isRefused(.untrusted))
    }

    @Test func `a copy of the pinned intermediate beside another authority's leaf does not count`() async throws {
        let roots = try await TestAuthority.shared.value.roots("root", "other")
        let attempt = try await TLSAttempt(
            presenting: ["foreign", "intermediate", "root", "leaf"], pins: await .of("leaf", "intermediate", "root"),
            trusting: roots)
        #expect(attempt.isRefused(.pinMismatch))
        let control = try await TLSAttempt(
            presenting: ["foreign", "intermediate"], pins: await .of("foreign"), trusting: roots)
        #expect(control.isAnswered)
    }

    @Test func `a chain with its intermediate missing is not completed from elsewhere`() async throws {
        let attempt = try await TLSAttempt(presenting: ["leaf"], pins: await .of("leaf"))
        #expect(attempt.isRefused(.untrusted))
    }

    @Test func `refuses a chain too long to search`() async throws {
        let attempt = try await TLSAttempt(
            presenting: chain + Array(repeating: "intermediate", count: 9), pins: await .of("leaf"))
        #expect(attempt.isRefused(.untrusted))
    }

    @Test func `speaks to any trusted server without pins, and to no other`() async throws {
        let trusted = try await TLSAttempt(presenting: chain)
        #expect(trusted.isAnswered)
        let untrusted = try await TLSAttempt(presenting: chain, trusting: .system)
        #expect(untrusted.isRefused(.untrusted))
    }

    @Test func `takes no answer that somebody on the way may have cut off`() async throws {
        let authority = try await TestAuthority.shared.value
        for (ending, status) in [(TLSPeer.Ending.closed, 200), (.cut, nil)] {
            let peer = try await TLSPeer(chain, of: authority, requestsPerConnection: 1, ending: ending)
            defer { peer.stop() }
            let transport = try await NIOTransport(pins: .of("leaf"), roots: authority.roots("root"))
            let request = WireRequest(method: "GET", path: "/")
            if let status {
                let answer = try await transport.send(request, to: peer.url(), within: .seconds(20))
                #expect(answer.status == status && answer.body == Array("{}".utf8))
            } else {
                await #expect(throws: TransportError.connectionLost) {
                    try await transport.send(request, to: peer.url(), within: .seconds(20))
                }
            }
        }
    }

    @Test func `speaks no TLS older than 1,2`() async throws {
        let attempt = try await TLSAttempt(presenting: chain, newestVersion: "TLSv1_1")
        #expect(attempt.isRefused(.untrusted))
    }

    @Test func `pins are enforced until the day they expire`() async throws {
        let day = TestClock.start
        let pins = try await PinSet.of("other", expires: day)
        let before = try await TLSAttempt(presenting: chain, pins: pins, now: day - 1)
        #expect(before.isRefused(.pinMismatch))
        let after = try await TLSAttempt(presenting: chain, pins: pins, now: day)
        #expect(after.isAnswered)
        let untrusted = try await TLSAttempt(presenting: chain, pins: pins, trusting: .system, now: day)
        #expect(untrusted.isRefused(.untrusted))
    }

    @Test func `pins without an end, or meant to stay, are enforced for ever`() async throws {
        let farAway = TestClock.start + 100 * 365 * 86_400
        for pins in try await [PinSet.of("other"), .of("other", expires: TestClock.start, afterExpiry: .enforced)] {
            let attempt = try await TLSAttempt(presenting: chain, pins: pins, now: farAway)
            #expect(attempt.isRefused(.pinMismatch))
        }
    }

    @Test func `sends nothing over plain HTTP where there are pins`() async throws {
        let peer = try LoopbackPeer { _ in .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
        defer { peer.stop() }
        let url = try BaseURL("http://127.0.0.1:\(peer.port)")
        let request = WireRequest(method: "GET", path: "/")
        let pinning = try await NIOTransport(pins: .of("leaf"))
        await #expect(throws: TransportError.pinMismatch) {
            try await pinning.send(request, to: url, within: .seconds(20))
        }
        #expect(peer.requests.isEmpty)
        #expect(try await NIOTransport().send(request, to: url, within: .seconds(20)).status == 200)
    }

    @Test func `enforces its own pins and says so of no others`() async throws {
        let pins = try await PinSet.of("leaf")
        let transport = try NIOTransport(pins: pins)
        #expect(transport.enforces(pins))
        #expect(try await !transport.enforces(.of("root")))
        #expect(!transport.enforces(.none))
        #expect(try !NIOTransport().enforces(pins))
    }

    @Test func `a client with pins can be made with it`() async throws {
        let pins = try await PinSet.of("leaf")
        #expect(throws: Never.self) {
            try AuthClient(
                contract: .vici, baseURL: try #require(URL(string: "https://auth.example.com")), pins: pins,
                options: ClientOptions(store: MemorySessionStore(), transport: .nio))
        }
    }
}
#endif
