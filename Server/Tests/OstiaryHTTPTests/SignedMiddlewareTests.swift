import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryServerTestSupport
import Testing

/// Signed requests to a third party's service, which has a running Ostiary server verify them.
@Suite(.timeLimit(.minutes(5)))
struct SignedMiddlewareTests {
    private func run(
        _ wanted: RequestSigning = .required, _ body: (LiveServer, Signing) async throws -> Void
    ) async throws {
        let world = try await World([.clarity]) { $0.requestSigning = wanted }
        let client = try AppClient(.clarity, in: world)
        let signing = try await Signing(client, client.register())
        try await LiveServer.run(world) { server in
            try await ProtectedService.run(askingAt: "\(server.origin)/clarity", logger: world.log.logger) { service in
                try await body(service, signing)
            }
        }
    }

    private func expectRefused(_ answer: HTTPAnswer, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(answer.status == 401, sourceLocation: sourceLocation)
        #expect(answer["www-authenticate"] == SignatureRefusal.challenge, sourceLocation: sourceLocation)
    }

    @Test func `hands the handler a signed request with its body`() async throws {
        try await run { service, signing in
            let answer = try await service.ask(signing, "POST", "/people/echo?a=b", body: "{\"x\":1}")
            #expect(answer.status == 200)
            #expect(answer.body == "{\"x\":1}")
            try await expectStatus(200, service.ask(signing, "GET", "/people/me"))
        }
    }

    @Test func `refuses another body, target or method than the signed one`() async throws {
        try await run { service, signing in
            func headers() -> [String: String] { signing.headers("POST", "/people/echo", body: "{}") }
            expectRefused(try await service.ask("POST", "/people/echo", headers(), body: "[]"))
            expectRefused(try await service.ask("POST", "/people/echo", headers()))
            expectRefused(try await service.ask("POST", "/people/echo?a=1", headers(), body: "{}"))
            expectRefused(try await service.ask("GET", "/people/me", headers()))
            try await expectStatus(200, service.ask("POST", "/people/echo", headers(), body: "{}"))
        }
    }

    @Test func `takes a signed request once`() async throws {
        try await run { service, signing in
            let headers = signing.headers("GET", "/people/me")
            try await expectStatus(200, service.ask("GET", "/people/me", headers))
            expectRefused(try await service.ask("GET", "/people/me", headers))
        }
    }

    @Test func `refuses an unsigned request where the app requires a signature, and a header that names another`()
        async throws
    {
        try await run { service, signing in
            let bearer = ["authorization": "Bearer \(signing.token)"]
            expectRefused(try await service.ask("GET", "/people/me", bearer))
            let named = ["x-original-method": "GET", "x-original-uri": "/people/me"]
            let headers = signing.headers("GET", "/people/me").merging(named) { $1 }
            expectRefused(try await service.ask("POST", "/people/echo", headers))
        }
    }

    @Test func `lets an unsigned request through where signatures are accepted`() async throws {
        try await run(.accepted) { service, signing in
            let answer = try await service.ask("GET", "/people/me", ["authorization": "Bearer \(signing.token)"])
            #expect(answer.status == 200)
        }
    }

    @Test func `collects no more of a signed body than it is told to`() async throws {
        try await run { service, signing in
            let long = String(repeating: "x", count: 1001)
            try await expectStatus(413, service.ask(signing, "POST", "/people/echo", body: long))
            let fits = String(repeating: "x", count: 1000)
            #expect(try await service.ask(signing, "POST", "/people/echo", body: fits).body == fits)
        }
    }
}
