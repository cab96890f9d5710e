import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@testable import OstiaryIdentities

/// Rows UP-01, UP-02, UP-05 and UP-10: a provider that is unavailable, slow, impersonated, or redirects to another
/// server.
@Suite(.timeLimit(.minutes(5))) struct OutageTests {
    @Test(
        arguments: [
            ["status": 500], ["status": 502, "body": "<html>"], ["how": "reset"], ["how": "endless"],
            ["body": "garbage"],
            ["padding": 10_000_000],
        ] as [JSON], ["/token", "/jwks"])
    func `UP-01 a failing endpoint is a failure, not a refusal`(answer: JSON, path: String) async throws {
        try await withProviderBench { bench in
            try await bench.behave([
                "now": .integer(bench.clock.seconds), "answers": .object([.init(path, answer)]),
            ])
            #expect(await problem { try await bench.identity() } is UpstreamProblem)
        }
    }

    @Test(arguments: ["silent", "dripping"], ["/token", "/jwks"])
    func `UP-01 the whole of a sign-in takes only so long`(how: String, path: String) async throws {
        try await withProviderBench(operationDeadline: .milliseconds(1500)) { bench in
            try await bench.behave([
                "now": .integer(bench.clock.seconds), "answers": .object([.init(path, ["how": .string(how)])]),
            ])
            let error = await problem { try await bench.identity() }
            #expect(error as? UpstreamProblem == .timedOut(origin: bench.peer.base))
        }
    }

    @Test func `UP-01 a provider that is away is not asked until the breaker's time is over`() async throws {
        try await withProviderBench { bench in
            let path = "/.well-known/openid-configuration"
            func attempt() async -> (any Error)? {
                await problem { try await bench.provider.authorizationURL(for: ProviderBench.request) }
            }
            try await bench.behave(["answers": .object([.init(path, ["status": 500])])])
            for _ in 0..<5 {
                #expect(await attempt() as? UpstreamProblem == .status(500, origin: bench.peer.base))
            }
            #expect(await attempt() as? UpstreamProblem == .away(origin: bench.peer.base))
            #expect(try await bench.requests(path).count == 5)
            try await bench.behave([:])
            bench.clock.advance(by: .seconds(9.9))
            #expect(await attempt() as? UpstreamProblem == .away(origin: bench.peer.base))
            bench.clock.advance(by: .seconds(0.1))
            #expect(await attempt() == nil)
        }
    }

    @Test(arguments: ["expired", "wrong-host", "self-signed"])
    func `UP-02 refuses a certificate that is`(mode: String) async throws {
        let peer = try await ProviderPeer("--tls=\(mode)")
        let transport = HTTPUpstreamTransport(authoritiesFile: peer.authority, limits: .init(deadline: .seconds(30)))
        let error = await problem { try await transport.send(UpstreamRequest(.get, "\(peer.base)/jwks")) }
        guard case .unreachable? = error as? UpstreamProblem else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `UP-02 speaks TLS with a certificate of an authority that the settings trust, and with no other`()
        async throws
    {
        try await withProviderBench("--tls=good") { bench in
            try await bench.behave(["now": .integer(bench.clock.seconds)])
            #expect(try await bench.identity().subject == "person-1")
            let stranger = HTTPUpstreamTransport(limits: .init(deadline: .seconds(30)))
            let error = await problem { try await stranger.send(UpstreamRequest(.get, "\(bench.peer.base)/jwks")) }
            guard case .unreachable? = error as? UpstreamProblem else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `UP-05 cached keys serve for a day of outage, then nobody gets in`() async throws {
        try await withProviderBench { bench in
            func attempt() async throws -> (any Error)? {
                let now = bench.clock.seconds
                try await bench.behave(["now": .integer(now), "answers": ["/jwks": ["status": 503]]])
                return await problem { try await bench.identity() }
            }
            try await bench.behave(["now": .integer(bench.clock.seconds)])
            _ = try await bench.identity()
            for _ in 0..<23 {
                bench.clock.advance(by: .seconds(3600))
                #expect(try await attempt() == nil)
            }
            bench.clock.advance(by: .seconds(3599))
            #expect(try await attempt() == nil)
            bench.clock.advance(by: .seconds(1))
            #expect(try await attempt() is UpstreamProblem)
            // Refetched each hour, and not more often.
            #expect(try await bench.requests("/jwks").count == 26)
        }
    }

    @Test func `UP-05 a new key is found at once, and made-up ones send us there once in 30 seconds`() async throws {
        try await withProviderBench { bench in
            func attempt(_ published: JSON, header: JSON) async throws -> (any Error)? {
                try await bench.behave([
                    "now": .integer(bench.clock.seconds), "published": published,
                    "id_token": ["kid": "p256", "header": header],
                ])
                return await problem { try await bench.identity() }
            }
            try await bench.behave(["now": .integer(bench.clock.seconds), "published": ["rsa"]])
            _ = try await bench.identity()
            #expect(try await bench.requests("/jwks").count == 1)
            #expect(try await attempt(["rsa", "p256"], header: ["alg": "ES256"]) == nil)
            #expect(try await bench.requests("/jwks").count == 2)

            let made: JSON = ["alg": "ES256", "kid": "made-up"]
            for _ in 0..<3 {
                #expect(try await attempt(["p256"], header: made) as? IdentityProviderRefusal == .tokenInvalid)
            }
            #expect(try await bench.requests("/jwks").count == 2)
            bench.clock.advance(by: .seconds(30))
            #expect(try await attempt(["p256"], header: made) as? IdentityProviderRefusal == .tokenInvalid)
            #expect(try await bench.requests("/jwks").count == 3)
        }
    }

    @Test func `UP-05 nobody waits for keys that do not come while there are some that will do`() async throws {
        // Less than the transport's time limit.
        try await withProviderBench(operationDeadline: .seconds(20)) { bench in
            try await bench.behave(["now": .integer(bench.clock.seconds)])
            _ = try await bench.identity()
            bench.clock.advance(by: .seconds(3600))
            try await bench.behave(["now": .integer(bench.clock.seconds), "answers": ["/jwks": ["how": "silent"]]])
            #expect(try await bench.identity().subject == "person-1")
        }
    }

    @Test func `UP-05 a key that was withdrawn is refused when the keys are an hour old`() async throws {
        try await withProviderBench { bench in
            try await bench.behave(["now": .integer(bench.clock.seconds)])
            _ = try await bench.identity()
            bench.clock.advance(by: .seconds(3600))
            try await bench.behave(["now": .integer(bench.clock.seconds), "published": ["p256"]])
            #expect(await problem { try await bench.identity() } as? IdentityProviderRefusal == .tokenInvalid)
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308], ["/token", "/jwks", "/userinfo", "/.well-known/openid-configuration"])
    func `UP-10 follows no redirect`(status: Int, path: String) async throws {
        let elsewhere = try await ProviderPeer()
        try await withProviderBench { bench in
            try await bench.behave([
                "now": .integer(bench.clock.seconds), "id_token": ["drop": ["email"]],
                "answers": .object([
                    .init(
                        path,
                        ["status": .integer(status), "headers": ["Location": .string("\(elsewhere.base)/stolen")]])
                ]),
            ])
            let error = await problem { try await bench.identity() }
            // A failure to fetch labels does not fail the sign-in; every other failure does.
            #expect((error == nil) == (path == "/userinfo"))
            #expect(try await bench.requests(path).count == 1)
            #expect(try await elsewhere.requests("/stolen", over: bench.transport).isEmpty)
        }
    }

    @Test(arguments: [
        "http://example.com/", "http://127.0.0.1.example.com/", "http://169.254.169.254/latest", "file:///etc/passwd",
        "ftp://127.0.0.1/", "http://user@127.0.0.1/", "http://127.0.0.1:0/", "http://0.0.0.0/", "http://[::]/",
        "http://2130706433/", "http://127.1/", "http://0x7f.0.0.1/", "https://", "//127.0.0.1/", "http://127.0.0.1/#a",
    ])
    func `UP-10 sends nothing to`(url: String) async throws {
        let transport = HTTPUpstreamTransport()
        let error = await problem { try await transport.send(UpstreamRequest(.get, url)) }
        #expect(error as? UpstreamProblem == .addressRefused)
    }
}
