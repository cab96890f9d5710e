import Crypto
import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryServerTestSupport
import OstiaryTesting
import Testing

/// Sessions that are bound to a key, on the wire. Source: RFC 9449 §5, §7, §8, §9.
@Suite(.timeLimit(.minutes(5)))
struct DPoPTests {
    /// A server of one app, and a client with a key.
    struct Client {
        let server: LiveServer
        let world: World
        let key = ProofKey()
        /// The app's base URL as clients know it.
        static let base = "https://auth.example.com/clarity"

        var nonce: String { world.apps[0].engine.dpopNonce }

        func proof(
            _ method: String, _ url: String, accessToken: Secret<String>? = nil, by key: ProofKey? = nil,
            forge: (inout ProofKey.Draft) -> Void = { _ in }
        ) throws -> String {
            try (key ?? self.key)
                .proof(method, url, at: world.clock.now, accessToken: accessToken, nonce: nonce, forge: forge)
        }

        /// Sends a request of the app with a proof.
        func ask(
            _ method: String, _ path: String, accessToken: Secret<String>? = nil, scheme: String = "DPoP",
            body: String = "", by key: ProofKey? = nil, headers: [String: String] = [:],
            forge: (inout ProofKey.Draft) -> Void = { _ in }
        ) async throws -> HTTPAnswer {
            var all = ["dpop": try proof(method, Self.base + path, accessToken: accessToken, by: key, forge: forge)]
            if let accessToken { all["authorization"] = "\(scheme) \(accessToken.reveal())" }
            if !body.isEmpty { all["content-type"] = "application/json" }
            return try await server.ask(method, "/clarity\(path)", all.merging(headers) { $1 }, body: body)
        }

        func register(email: String = "jo@example.com", headers: [String: String] = [:]) async throws -> HTTPAnswer {
            let body = #"{"email":"\#(email)","password":"correct horse 7 battery","name":"Jo"}"#
            return try await ask("POST", "/api/v1/auth/register", body: body, headers: headers)
        }

        func registered() async throws -> Tokens {
            let answer = try await register()
            return try Codec(.clarity).read(
                WireResponse(status: answer.status, body: Array(answer.body.utf8)), to: Register.self
            ).tokens
        }
    }

    private func run(
        _ requirement: DPoPSettings.Requirement = .accepted, signing: RequestSigning = .accepted,
        _ body: (Client) async throws -> Void
    ) async throws {
        let world = try await World([.clarity]) {
            $0.requestSigning = signing
            $0.dpop = DPoPSettings(requirement: requirement, origins: ["https://api.example.com"])
        }
        try await LiveServer.run(world) { server in try await body(Client(server: server, world: world)) }
    }

    private static let me = "/api/v1/auth/me"

    @Test func `a session is bound on the wire, and its tokens carry the thumbprint`() async throws {
        try await run { client in
            let tokens = try await client.registered()
            let payload = try #require(CompactJWS(tokens.accessToken.reveal())).payload
            #expect(try JSON.read(payload)["cnf"] == ["jkt": .string(client.key.thumbprint)])
            let answer = try await client.ask("GET", Self.me, accessToken: tokens.accessToken)
            #expect(answer.status == 200)
            #expect(answer["dpop-nonce"] == client.nonce)
        }
    }

    @Test func `a bound token without its proof is refused, and a stolen one is worthless`() async throws {
        try await run { client in
            let tokens = try await client.registered()
            let bearer = ["authorization": "Bearer \(tokens.accessToken.reveal())"]
            let bare = ["authorization": "DPoP \(tokens.accessToken.reveal())"]
            for answer in [
                try await client.server.ask("GET", "/clarity\(Self.me)", bearer),
                try await client.server.ask("GET", "/clarity\(Self.me)", bare),
                try await client.server.ask("GET", "/clarity/verify", bearer),
                try await client.ask("GET", Self.me, accessToken: tokens.accessToken, scheme: "Bearer"),
                try await client.ask("GET", Self.me, accessToken: tokens.accessToken, by: ProofKey()),
                try await client.ask("GET", Self.me, accessToken: tokens.accessToken) {
                    $0.setClaim("htu", "https://auth.example.com/clarity/api/v1/auth/sessions")
                },
            ] {
                #expect(answer.status == 401)
                #expect(answer["www-authenticate"] == "DPoP error=\"invalid_dpop_proof\", algs=\"ES256\"")
                if !answer.body.isEmpty { #expect(try answer.json["code"] == "invalid_dpop_proof") }
            }
        }
    }

    @Test func `a header that comes twice is refused`() async throws {
        try await run { client in
            let tokens = try await client.registered()
            func header() throws -> String {
                try client.proof("GET", Client.base + Self.me, accessToken: tokens.accessToken)
            }
            let answer = try await client.server.ask(
                "GET", "/clarity\(Self.me)",
                ["authorization": "DPoP \(tokens.accessToken.reveal())", "dpop": try header(), "DPoP": try header()])
            #expect(answer.status == 401)
            #expect(answer["www-authenticate"] == "DPoP error=\"invalid_dpop_proof\", algs=\"ES256\"")
        }
    }

    @Test func `an old nonce is answered with the new one, with which the request succeeds`() async throws {
        try await run { client in
            let answer = try await client.ask("POST", "/api/v1/auth/register", body: "{}") {
                $0.setClaim("nonce", "old")
            }
            // The body was read first.
            #expect(answer.status == 400)
            let body = #"{"email":"jo@example.com","password":"correct horse 7 battery","name":"Jo"}"#
            let refused = try await client.ask("POST", "/api/v1/auth/register", body: body) {
                $0.setClaim("nonce", "old")
            }
            #expect(refused.status == 401)
            #expect(refused["www-authenticate"] == "DPoP error=\"use_dpop_nonce\", algs=\"ES256\"")
            #expect(refused["dpop-nonce"] == client.nonce)
            #expect(try refused.json["code"] == "use_dpop_nonce")
            #expect(try await (200..<300).contains(client.register().status))
        }
    }

    @Test func `required: a request without a proof opens no session`() async throws {
        try await run(.required) { client in
            let body = #"{"email":"jo@example.com","password":"correct horse 7 battery","name":"Jo"}"#
            let answer = try await client.server.post("/clarity/api/v1/auth/register", body)
            #expect(answer.status == 401)
            #expect(answer["www-authenticate"] == "DPoP algs=\"ES256\"")
            #expect(try answer.json["code"] == "dpop_required")
            #expect(try await (200..<300).contains(client.register().status))
        }
    }

    @Test func `off: nothing changes`() async throws {
        try await run(.off) { client in
            let answer = try await client.register()
            #expect((200..<300).contains(answer.status))
            #expect(answer["dpop-nonce"] == nil)
            #expect(!answer.body.contains("DPoP"))
            let plain = try await client.server.ask("GET", "/clarity/openapi.json")
            #expect(!plain.body.contains("DPoP"))
        }
        try await run { client in
            let document = try await client.server.ask("GET", "/clarity/openapi.json")
            #expect(document.body.contains("dpop"))
        }
    }

    // MARK: /verify

    @Test(arguments: ["original", "forwarded"], ["https://api.example.com", "https://auth.example.com"])
    func `verify takes the method and the path of the proxied request, and the origins of the configuration`(
        kind: String, origin: String
    ) async throws {
        try await run { client in
            let tokens = try await client.registered()
            func verify(
                _ url: String, method: String = "PUT", target: String = "/videos/7?x=1"
            ) async throws -> HTTPAnswer {
                try await client.server.ask(
                    "GET", "/clarity/verify",
                    [
                        "authorization": "DPoP \(tokens.accessToken.reveal())",
                        "dpop": try client.proof(method, url, accessToken: tokens.accessToken),
                        "x-\(kind)-method": "PUT", "x-\(kind)-uri": target, "x-forwarded-host": "evil.example.com",
                    ])
            }
            let answer = try await verify("\(origin)/videos/7")
            #expect(answer.status == 200)
            #expect(answer["x-auth-user"] != nil)
            #expect(answer["dpop-nonce"] == client.nonce)
            for url in ["https://evil.example.com/videos/7", "\(origin)/videos/8", "\(origin)/clarity/verify"] {
                let refused = try await verify(url)
                #expect(refused.status == 401)
                #expect(refused["www-authenticate"] == "DPoP error=\"invalid_dpop_proof\", algs=\"ES256\"")
            }
            try await expectStatus(401, verify("\(origin)/videos/7", method: "GET"))
        }
    }

    // MARK: With signed requests

    @Test func `a request is signed and proven`() async throws {
        try await run(.required, signing: .required) { client in
            let tokens = try await client.registered()
            let app = client.world.apps[0]
            let proof = try client.proof(
                "POST", Client.base + "/api/v1/auth/signing-key", accessToken: tokens.accessToken)
            let key = try await app.engine.serving(
                Caller(
                    dpopProof: PresentedProof(
                        proof: DPoPProof(proof), hasScheme: true, method: "POST",
                        url: Client.base + "/api/v1/auth/signing-key"))
            ).perform(IssueSigningKey(accessToken: tokens.accessToken))
            func signed(_ target: String) throws -> [String: String] {
                let url = "https://auth.example.com\(target)"
                var headers = [
                    "authorization": "DPoP \(tokens.accessToken.reveal())",
                    "dpop": try client.proof("GET", url, accessToken: tokens.accessToken),
                ]
                let input = try #require(
                    SignatureInput(
                        created: Int(client.world.clock.now.timeIntervalSince1970), keyID: key.id,
                        nonce: UUID().uuidString))
                let signed = try #require(
                    WireRequest(method: "GET", path: target, headers: headers)
                        .signed(input, path: target, contentSHA256: Array(SHA256.hash(data: [UInt8]()))) { base in
                            Array(
                                HMAC<SHA256>.authenticationCode(
                                    for: base, using: SymmetricKey(data: key.secret.reveal())))
                        })
                headers = signed.headers
                return headers
            }
            let target = "/clarity\(Self.me)"
            try await expectStatus(200, client.server.ask("GET", target, signed(target)))
            try await expectStatus(200, client.server.ask("GET", "/clarity/verify", signed("/clarity/verify")))
            var unsigned = try signed(target)
            unsigned["signature"] = nil
            unsigned["signature-input"] = nil
            try await expectSignatureRefused(client.server.ask("GET", target, unsigned))
            var unproven = try signed(target)
            unproven["dpop"] = nil
            let answer = try await client.server.ask("GET", target, unproven)
            #expect(answer["www-authenticate"] == "DPoP error=\"invalid_dpop_proof\", algs=\"ES256\"")
        }
    }

    // MARK: The middleware

    @Test func `a service behind the middleware requires the proof of the request that it received`() async throws {
        try await run { client in
            let tokens = try await client.registered()
            try await ProtectedService.run(
                askingAt: "\(client.server.origin)/clarity", logger: client.world.log.logger
            ) { service in
                func ask(
                    scheme: String = "DPoP", url: String = "https://api.example.com/people/me", nonce: String? = nil
                ) async throws -> HTTPAnswer {
                    let proof = try client.proof("GET", url, accessToken: tokens.accessToken) { draft in
                        if let nonce { draft.setClaim("nonce", .string(nonce)) }
                    }
                    return try await service.ask(
                        "GET", "/people/me?a=b",
                        ["authorization": "\(scheme) \(tokens.accessToken.reveal())", "dpop": proof])
                }
                try await expectStatus(200, ask())
                let old = try await ask(nonce: "old")
                #expect(old.status == 401)
                #expect(old["www-authenticate"] == "DPoP error=\"use_dpop_nonce\", algs=\"ES256\"")
                #expect(old["dpop-nonce"] == client.nonce)
                for answer in [
                    try await ask(scheme: "Bearer"), try await ask(url: "https://api.example.com/people/you"),
                    try await ask(url: "https://evil.example.com/people/me"),
                    try await service.ask(
                        "GET", "/people/me", ["authorization": "Bearer \(tokens.accessToken.reveal())"]),
                    try await service.ask(
                        "GET", "/people/me", ["authorization": "DPoP \(tokens.accessToken.reveal())"]),
                ] {
                    #expect(answer.status == 401)
                    #expect(answer["www-authenticate"] == "DPoP error=\"invalid_dpop_proof\", algs=\"ES256\"")
                }
            }
        }
    }
}
