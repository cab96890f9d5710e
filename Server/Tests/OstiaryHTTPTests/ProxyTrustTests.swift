import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryHTTP

/// The trust in a proxy's statement of the client's address.
@Suite(.timeLimit(.minutes(5)))
struct ProxyTrustTests {
    /// The trusted proxies are 10.0.0.0/8, 127.0.0.1 and 2001:db8:ffff::/48.
    struct Row: CustomTestStringConvertible {
        let what: String
        let peer: String
        let forwarded: [String]
        let client: String

        init(_ what: String, peer: String = "10.0.0.1", _ forwarded: String..., client: String) {
            self.what = what
            self.peer = peer
            self.forwarded = forwarded
            self.client = client
        }

        var testDescription: String { what }
    }

    private static func trust() throws -> ProxyTrust {
        let ranges = [("10.0.0.0", 8), ("127.0.0.1", 32), ("2001:db8:ffff::", 48)]
        return ProxyTrust(
            proxies: try ranges.map { text, length in
                try #require(IPAddress(text).flatMap { AddressRange(first: $0, prefixLength: length) })
            })
    }

    @Test(arguments: [
        Row("nothing forwarded", client: "10.0.0.1"),
        Row("one hop", "203.0.113.7", client: "203.0.113.7"),
        Row("a stranger's word", peer: "198.51.100.9", "203.0.113.7", client: "198.51.100.9"),
        Row("a stranger who claims to be a proxy", peer: "198.51.100.9", "10.0.0.1", client: "198.51.100.9"),
        Row("what the client wrote stands left", "1.1.1.1, 203.0.113.7", client: "203.0.113.7"),
        Row("the client claims to be loopback", "127.0.0.1, 203.0.113.7", client: "203.0.113.7"),
        Row("two trusted proxies", "203.0.113.7, 10.2.3.4", client: "203.0.113.7"),
        Row("several headers count in their order", "1.1.1.1", "203.0.113.7", "10.2.3.4", client: "203.0.113.7"),
        Row("all hops trusted", "10.9.9.9, 10.2.3.4", client: "10.9.9.9"),
        Row("white space", " \t203.0.113.7\t , 10.2.3.4 ", client: "203.0.113.7"),
        Row("letters", "a", client: "10.0.0.1"),
        Row("empty", "", client: "10.0.0.1"),
        Row("commas", ",,,", client: "10.0.0.1"),
        Row("garbage hides what is left of it", "203.0.113.7, a", client: "10.0.0.1"),
        Row("garbage left of the client", "a, 203.0.113.7", client: "203.0.113.7"),
        Row("garbage between proxies", "203.0.113.7, x, 10.2.3.4", client: "10.2.3.4"),
        Row("a megabyte", String(repeating: "9", count: 1 << 20), client: "10.0.0.1"),
        Row("a megabyte of hops", String(repeating: "10.0.0.2,", count: 100_000) + "10.0.0.2", client: "10.0.0.2"),
        Row("a port", "203.0.113.7:4711", client: "10.0.0.1"),
        Row("an IPv6 zone", "fe80::1%eth0", client: "10.0.0.1"),
        Row("brackets", "[2001:db8::1]", client: "10.0.0.1"),
        Row("leading zeros", "203.0.113.007", client: "10.0.0.1"),
        Row("a decimal address", "3405803783", client: "10.0.0.1"),
        Row("unknown", "unknown", client: "10.0.0.1"),
        Row("IPv6", "2001:db8::1", client: "2001:db8::1"),
        Row("IPv6 in upper case, uncompressed", "2001:0DB8:0:0:0:0:0:1", client: "2001:db8::1"),
        Row("IPv4 written as IPv6", "::ffff:203.0.113.7", client: "203.0.113.7"),
        Row("IPv4 written as hexadecimal IPv6", "::FFFF:CB00:7107", client: "203.0.113.7"),
        Row("a peer written as IPv6", peer: "::ffff:10.0.0.1", "203.0.113.7", client: "203.0.113.7"),
        Row("a trusted IPv6 proxy", peer: "2001:db8:ffff:1::1", "203.0.113.7", client: "203.0.113.7"),
        Row("an IPv6 neighbour of the proxies", peer: "2001:db8:fffe::1", "203.0.113.7", client: "2001:db8:fffe::1"),
    ])
    func `finds the client`(row: Row) throws {
        let peer = try #require(IPAddress(row.peer))
        #expect(try Self.trust().client(peer: peer, forwarded: row.forwarded).description == row.client)
    }

    @Test(arguments: [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true), ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
        ("2001:DB8:1:2:0:0:0:1", "2001:db8:1:2::1", true), ("::ffff:192.0.2.1", "192.0.2.1", true),
        ("192.0.2.1", "192.0.2.2", false),
    ])
    func `counts a client by its address, or by the network that one person has`(
        one: String, other: String, isSame: Bool
    ) throws {
        let (one, other) = (try #require(IPAddress(one)), try #require(IPAddress(other)))
        #expect((one.network == other.network) == isSame)
    }

    // MARK: Over the socket

    private static let forging = [
        "X-Forwarded-For", "X-Real-IP", "Forwarded", "True-Client-IP", "CF-Connecting-IP", "X-Client-IP",
    ]

    /// Returns the statuses of three requests, one more than an address may send, each with another address in the
    /// header.
    private func statuses(forging header: String, trusting proxies: ProxyTrust) async throws -> [Int] {
        let world = try await World([.vici]) { settings in
            settings.limits = RateLimits(perAddress: [.reset: RateLimit(attempts: 2, perSeconds: 60)])
        }
        return try await LiveServer.run(world, adjust: { $0.connections.proxies = proxies }) { server in
            var statuses: [Int] = []
            for number in 1...3 {
                let answer = try await server.ask(
                    "POST", "/vici/api/auth/forgot-password",
                    ["Content-Type": "application/json", header: "203.0.113.\(number)"],
                    body: #"{"email":"jo\#(number)@example.com"}"#)
                statuses.append(answer.status)
            }
            return statuses
        }
    }

    @Test(arguments: forging) func `counts a stranger by where it is, whatever it writes`(header: String) async throws {
        let statuses = try await statuses(forging: header, trusting: ProxyTrust())
        #expect(statuses == [200, 200, 429])
    }

    @Test func `counts the clients of a trusted proxy each for itself`() async throws {
        let statuses = try await statuses(forging: "X-Forwarded-For", trusting: Self.trust())
        #expect(statuses == [200, 200, 200])
    }

    @Test(arguments: forging.dropFirst())
    func `takes nothing but X-Forwarded-For from a trusted proxy`(header: String) async throws {
        let statuses = try await statuses(forging: header, trusting: Self.trust())
        #expect(statuses.last == 429)
    }
}
