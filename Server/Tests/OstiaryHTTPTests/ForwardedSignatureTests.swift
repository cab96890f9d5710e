import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

/// The responses of `/verify` for signed requests that a proxy forwards.
@Suite(.timeLimit(.minutes(5)))
struct ForwardedSignatureTests {
    private static let target = "/projects/a%2Fb?q=a+b&q=c"
    private static let method = "POST"

    /// Requests `/verify` for a signed POST, with these headers of a proxy.
    private func run(
        _ wanted: RequestSigning = .required,
        _ body: (_ ask: (_ proxy: [String: String]) async throws -> HTTPAnswer, _ signing: Signing) async throws -> Void
    ) async throws {
        let world = try await World([.vici]) { $0.requestSigning = wanted }
        let client = try AppClient(.vici, in: world)
        let signing = try await Signing(client, client.register())
        try await LiveServer.run(world) { server in
            try await body(
                { proxy in
                    let headers = signing.headers(Self.method, Self.target, body: "{}").merging(proxy) { $1 }
                    return try await server.ask("GET", "/vici/verify", headers)
                }, signing)
        }
    }

    @Test(arguments: ["original", "forwarded"])
    func `takes the request that a proxy names`(kind: String) async throws {
        try await run { ask, _ in
            let named = ["x-\(kind)-method": Self.method, "x-\(kind)-uri": Self.target]
            #expect(try await ask(named)["x-auth-user"] != nil)
            var other = named
            other["x-\(kind)-method"] = "DELETE"
            try await expectStatus(401, ask(other))
            other = named
            for target in ["/projects/a/b?q=a+b&q=c", "/projects/a%2Fb?q=a%20b&q=c", "/projects/a%2Fb", "", "projects"]
            {
                other["x-\(kind)-uri"] = target
                let answer = try await ask(other)
                #expect(answer.status == 401)
                #expect(answer["www-authenticate"] == SignatureRefusal.challenge)
            }
        }
    }

    @Test(arguments: ["x-original-method", "x-original-uri", "x-forwarded-method", "x-forwarded-uri"])
    func `takes no half of a name`(missing: String) async throws {
        try await run { ask, _ in
            let kind = missing.contains("original") ? "original" : "forwarded"
            var named = ["x-\(kind)-method": Self.method, "x-\(kind)-uri": Self.target]
            named[missing] = nil
            try await expectStatus(401, ask(named))
        }
    }

    @Test func `takes two names only where they agree`() async throws {
        try await run { ask, _ in
            var named = ["x-original-method": Self.method, "x-original-uri": Self.target]
            named["x-forwarded-method"] = Self.method
            named["x-forwarded-uri"] = Self.target
            try await expectStatus(200, ask(named))
            // A client writes one pair, the proxy the other.
            for name in named.keys {
                try await expectStatus(401, ask(named.merging([name: "/other"]) { $1 }))
            }
        }
    }

    @Test func `takes a signature of the question itself where no proxy names a request`() async throws {
        try await run { ask, signing in
            try await expectStatus(401, ask([:]))
            try await expectStatus(200, ask(signing.headers("GET", "/vici/verify")))
        }
    }

    @Test func `takes a forwarded request once`() async throws {
        try await run { ask, signing in
            let named = ["x-original-method": Self.method, "x-original-uri": Self.target]
            let headers = signing.headers(Self.method, Self.target).merging(named) { $1 }
            try await expectStatus(200, ask(headers))
            try await expectStatus(401, ask(headers))
        }
    }
}
