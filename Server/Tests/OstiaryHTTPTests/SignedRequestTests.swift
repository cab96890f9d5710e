import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import OstiaryTesting
import Testing

/// Signed requests over the socket: SG-02, SG-04, SG-05, SG-06.
@Suite(.timeLimit(.minutes(5)))
struct SignedRequestTests {
    private struct Scene {
        let client: AppClient
        let jo: SignedIn
        let signing: Signing
        let server: LiveServer

        var bearer: [String: String] { ["authorization": "Bearer \(jo.tokens.accessToken.reveal())"] }
    }

    private static let me = "/vici/api/auth/me"

    private func run(_ wanted: RequestSigning = .accepted, _ body: (Scene) async throws -> Void) async throws {
        let world = try await World([.vici]) { $0.requestSigning = wanted }
        let client = try AppClient(.vici, in: world)
        let jo = try await client.register()
        let signing = try await Signing(client, jo)
        try await LiveServer.run(world) { server in
            try await body(Scene(client: client, jo: jo, signing: signing, server: server))
        }
    }

    // MARK: Required signatures

    @Test(arguments: [RequestSigning.accepted, .required])
    func `does what a signed request asks for`(wanted: RequestSigning) async throws {
        try await run(wanted) { scene in
            try await expectStatus(200, scene.server.ask(scene.signing, "GET", Self.me))
            let name = try await scene.server.ask(scene.signing, "PATCH", Self.me, body: "{\"name\":\"Zoë\"}")
            #expect(try name.json["name"] == "Zoë")
            try await expectStatus(200, scene.server.ask(scene.signing, "GET", "/vici/api/auth/sessions"))
        }
    }

    @Test func `refuses signed-in people's requests without a signature where one is required`() async throws {
        try await run(.required) { scene in
            for (method, path) in [("GET", "me"), ("PATCH", "me"), ("GET", "sessions"), ("DELETE", "sessions/x")] {
                try expectSignatureRefused(try await scene.server.ask(method, "/vici/api/auth/\(path)", scene.bearer))
            }
            try expectSignatureRefused(try await scene.server.ask("GET", "/vici/verify", scene.bearer))
        }
    }

    @Test func `requires no signature of the way in, the way out and the key itself`() async throws {
        try await run(.required) { scene in
            let jo = try await scene.client.signIn()
            let next = try await scene.client.refresh(jo.tokens.refreshToken)
            _ = try await scene.client.auth.perform(IssueSigningKey(accessToken: next.accessToken))
            try await scene.client.signOut(jo)
            try await scene.client.signOut(jo)
        }
    }

    @Test func `requires no signature of a sign-in that must add a factor, which has no session yet`() async throws {
        let world = try await World([.vici]) {
            $0.requestSigning = .required
            $0.secondFactor.requirement = .required
        }
        let client = try AppClient(.vici, in: world)
        let error = await #expect(throws: AuthError.self) { try await client.register() }
        guard case .challengeRequired(let challenge)? = error else {
            Issue.record("no challenge: \(String(describing: error))")
            return
        }
        let token = challenge.token.reveal()
        try await LiveServer.run(world) { server in
            func begin(_ token: String) async throws -> HTTPAnswer {
                try await server.ask("POST", "/vici/api/auth/factors/totp", ["authorization": "Bearer \(token)"])
            }
            try await expectStatus(200, begin(token))
            try expectSignatureRefused(try await begin("\(token.dropLast(6))AAAAAA"))
            world.clock.advance(by: .seconds(600))
            #expect(try await begin(token).json["code"] == "challenge_refused")
        }
    }

    @Test func `lets requests through unsigned where signatures are accepted`() async throws {
        try await run { scene in
            try await expectStatus(200, scene.server.ask("GET", Self.me, scene.bearer))
            try await expectStatus(200, scene.server.ask("GET", "/vici/verify", scene.bearer))
        }
    }

    @Test func `looks at no signature where there are none`() async throws {
        let world = try await World([.vici]) { $0.requestSigning = .off }
        let client = try AppClient(.vici, in: world)
        let jo = try await client.register()
        try await LiveServer.run(world) { server in
            let headers = ["authorization": "Bearer \(jo.tokens.accessToken.reveal())", "signature": "x"]
            try await expectStatus(200, server.ask("GET", Self.me, headers))
            try await expectStatus(200, server.ask("GET", "/vici/verify", headers))
            try await expectStatus(404, server.ask("POST", "/vici/api/auth/signing-key", headers))
        }
    }

    @Test func `refuses a signature without a token as a missing token`() async throws {
        try await run(.required) { scene in
            var headers = scene.signing.headers("GET", Self.me)
            headers["authorization"] = nil
            for path in [Self.me, "/vici/verify"] {
                let answer = try await scene.server.ask("GET", path, headers)
                #expect(answer.status == 401)
                #expect(try answer.json["code"] == "invalid_access_token")
            }
        }
    }

    @Test func `refuses the signature of a dead session as what it is`() async throws {
        try await run { scene in
            try await scene.client.signOut(scene.jo)
            let answer = try await scene.server.ask(scene.signing, "GET", Self.me)
            #expect(answer.status == 401)
            #expect(try answer.json["code"] == "session_revoked")
        }
    }

    // MARK: Signed content

    @Test func `refuses another request than the one that was signed`() async throws {
        try await run { scene in
            let body = "{\"name\":\"Jo\"}"
            let type = ["content-type": "application/json"]
            func ask(_ method: String, _ target: String, _ sent: String, token: String? = nil) async throws {
                var headers = scene.signing.headers("PATCH", Self.me, body: body).merging(type) { $1 }
                if let token { headers["authorization"] = "Bearer \(token)" }
                try expectSignatureRefused(try await scene.server.ask(method, target, headers, body: sent))
            }
            try await ask("PATCH", Self.me, "{\"name\":\"Xo\"}")
            try await ask("PATCH", Self.me, "")
            try await ask("PATCH", Self.me + "?", body + " ")
            try await ask("PATCH", Self.me + "?a=1", body)
            try await ask("POST", "/vici/api/auth/delete-account", body)
            let other = try await scene.client.signIn().tokens.accessToken.reveal()
            try await ask("PATCH", Self.me, body, token: other)
            #expect(try await scene.client.user(scene.jo).fullName?.text == "Jo")
        }
    }

    @Test func `takes no query and an empty one for the same`() async throws {
        try await run { scene in
            let answer = try await scene.server.ask("GET", Self.me + "?", scene.signing.headers("GET", Self.me))
            #expect(answer.status == 200)
        }
    }

    @Test func `takes a body in chunks for the same body`() async throws {
        try await run { scene in
            let body = "{\"name\":\"Chunky\"}"
            let headers = scene.signing.headers("PATCH", Self.me, body: body).map { "\($0): \($1)\r\n" }.joined()
            let text = """
                PATCH \(Self.me) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r
                Transfer-Encoding: chunked\r\n\(headers)\r\n5\r\n\(body.prefix(5))\r
                \(String(body.utf8.count - 5, radix: 16))\r\n\(body.dropFirst(5))\r\n0\r\n\r\n
                """
            let answer = try HTTPAnswer(try await RawConnection.exchange(port: scene.server.port, text))
            #expect(answer.status == 200)
        }
    }

    @Test func `takes no header that comes twice`() async throws {
        try await run { scene in
            for name in ["signature", "signature-input", "content-digest"] {
                let headers = scene.signing.headers("GET", Self.me)
                let lines = headers.map { "\($0): \($1)\r\n" }.joined()
                let twice =
                    "GET \(Self.me) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(lines)\(name): \(headers[name] ?? "")\r\n\r\n"
                try expectSignatureRefused(
                    try HTTPAnswer(try await RawConnection.exchange(port: scene.server.port, twice)))
            }
        }
    }

    @Test(arguments: [
        ("signature", "x"), ("signature", ""), ("signature-input", "x"), ("content-digest", "sha-256=:AAAA:"),
        ("signature", nil), ("signature-input", nil), ("content-digest", nil),
    ])
    func `refuses a signature that is not of the one form`(name: String, value: String?) async throws {
        try await run { scene in
            var headers = scene.signing.headers("GET", Self.me)
            headers[name] = value
            try expectSignatureRefused(try await scene.server.ask("GET", Self.me, headers))
        }
    }

    @Test func `takes a signed request once`() async throws {
        try await run { scene in
            let headers = scene.signing.headers("GET", Self.me)
            try await expectStatus(200, scene.server.ask("GET", Self.me, headers))
            try expectSignatureRefused(try await scene.server.ask("GET", Self.me, headers))
        }
    }

    @Test(arguments: [(-301, 401), (-299, 200), (299, 200), (301, 401)])
    func `takes a signature for five minutes`(seconds: Int, status: Int) async throws {
        try await run { scene in
            let headers = scene.signing.headers("GET", Self.me, secondsLater: seconds)
            try await expectStatus(status, scene.server.ask("GET", Self.me, headers))
        }
    }

    @Test func `signs the path that clients write, whatever a proxy takes away`() async throws {
        let world = try await World([.vici])
        let client = try AppClient(.vici, in: world)
        let signing = try await Signing(client, client.register())
        try await LiveServer.run(world, adjust: { $0.mounts[0].baseURL = "https://example.com/auth/vici" }) { server in
            let outside = "/auth\(Self.me)"
            try await expectStatus(200, server.ask("GET", Self.me, signing.headers("GET", outside)))
            try expectSignatureRefused(try await server.ask("GET", Self.me, signing.headers("GET", Self.me)))
        }
    }
}
