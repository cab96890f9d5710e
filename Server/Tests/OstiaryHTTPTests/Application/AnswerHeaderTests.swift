import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import Testing

/// The headers of every response, for every request.
@Suite(.timeLimit(.minutes(5)))
struct AnswerHeaderTests {
    struct Row: CustomTestStringConvertible {
        let method: String
        let path: String
        let status: Int
        var body = ""

        var testDescription: String { "\(method) \(path) \(status)" }
    }

    static let rows = [
        Row(method: "GET", path: "/healthz", status: 200), Row(method: "GET", path: "/metrics", status: 200),
        Row(method: "POST", path: "/healthz", status: 405), Row(method: "GET", path: "/nowhere", status: 404),
        Row(method: "GET", path: "/vici/nowhere", status: 404),
        Row(method: "GET", path: "/vici/api/auth/me", status: 401),
        Row(method: "PUT", path: "/vici/api/auth/login", status: 405),
        Row(method: "POST", path: "/vici/api/auth/login", status: 400, body: "{}"),
        Row(method: "POST", path: "/vici/api/auth/login", status: 400, body: "not json"),
        Row(
            method: "POST", path: "/vici/api/auth/login", status: 401,
            body: #"{"email":"jo@example.com","password":"correct horse"}"#),
        Row(method: "POST", path: "/vici/api/auth/logout", status: 200, body: #"{"refreshToken":"x"}"#),
        Row(method: "GET", path: "/vici/verify", status: 401),
        Row(method: "GET", path: "/vici/reset-password", status: 400),
        Row(method: "GET", path: "/vici/openapi.json", status: 200),
        Row(method: "GET", path: "/clarity/.well-known/jwks.json", status: 200),
        Row(method: "GET", path: "/vici/.well-known/jwks.json", status: 404),
        Row(method: "GET", path: "/assets/ostiary.css", status: 200),
        Row(method: "GET", path: "/assets/ostiary.js", status: 200),
        Row(method: "GET", path: "/assets/google.svg", status: 200),
        Row(method: "GET", path: "/assets/nothing.svg", status: 404),
        Row(method: "POST", path: "/assets/ostiary.css", status: 405),
    ]

    private func ask(_ row: Row, isSecure: Bool = false, _ body: (HTTPAnswer) throws -> Void) async throws {
        try await LiveServer.run(World([.vici, .clarity]), adjust: { $0.isSecure = isSecure }) { server in
            let answer = try await server.ask(
                row.method, row.path, row.body.isEmpty ? [:] : ["Content-Type": "application/json"], body: row.body)
            #expect(answer.status == row.status)
            try body(answer)
        }
    }

    @Test(arguments: rows) func `protects whoever reads it in a browser`(row: Row) async throws {
        try await ask(row) { answer in
            #expect(answer["x-content-type-options"] == "nosniff")
            #expect(answer["referrer-policy"] == "no-referrer")
            let policy = try #require(answer["content-security-policy"])
            #expect(policy.contains("default-src 'none'"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(answer["x-request-id"]?.isEmpty == false)
            #expect(answer["strict-transport-security"] == nil)
            #expect(answer["server"] == nil)
            #expect(answer["access-control-allow-origin"] == nil)
            // A page with a form identifies its browser by a cookie.
            #expect((answer["set-cookie"] != nil) == row.path.hasSuffix("reset-password"))
        }
    }

    @Test(arguments: rows) func `asks for TLS from now on where there is TLS`(row: Row) async throws {
        try await ask(row, isSecure: true) { answer in
            #expect(answer["strict-transport-security"] == "max-age=31536000; includeSubDomains")
        }
    }

    @Test(arguments: rows) func `is kept by nobody, except for public documents`(row: Row) async throws {
        let isPublic =
            row.status == 200
            && ["openapi.json", "jwks.json", ".css", ".js", ".svg"].contains(where: row.path.hasSuffix)
        try await ask(row) { answer in
            #expect(answer["cache-control"] == (isPublic ? "public, max-age=300" : "no-store"))
        }
    }

    @Test(arguments: Contract.all) func `asks for a bearer token with every 401, never for a password`(
        contract: Contract
    ) async throws {
        try await LiveServer.run(World([contract])) { server in
            let me = "/\(contract.name)\(contract.prefix)\(try #require(contract.endpoint(for: .currentUser)).path)"
            for authorization in ["", "Bearer x", "Basic am86eA==", "Bearer x, Bearer y", "bearer"] {
                for path in [me, "/\(contract.name)/verify"] {
                    let headers = authorization.isEmpty ? [:] : ["Authorization": authorization]
                    let answer = try await server.ask("GET", path, headers)
                    #expect(answer.status == 401)
                    #expect(answer["www-authenticate"]?.hasPrefix("Bearer") == true)
                    #expect(try answer.json["code"] == "invalid_access_token")
                }
            }
        }
    }

    @Test func `says when to try again`() async throws {
        let limits = RateLimits(perAddress: [.reset: RateLimit(attempts: 1, perSeconds: 60)])
        try await LiveServer.run(World([.vici]) { $0.limits = limits }) { server in
            func ask() async throws -> HTTPAnswer {
                try await server.post("/vici/api/auth/forgot-password", #"{"email":"jo@example.com"}"#)
            }
            _ = try await ask()
            let answer = try await ask()
            #expect(answer.status == 429)
            #expect(answer["retry-after"] == "60")
            #expect(try answer.json["retry_after"] == 60)
        }
    }
}
