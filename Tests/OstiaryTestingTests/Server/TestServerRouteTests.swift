import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

/// The app's own routes on a test server.
struct TestServerRouteTests {
    private let server: TestServer
    private let token: String

    init() async throws {
        server = try TestServer(.vici, rules: .accessTokens(lasting: 60))
        try server.addAccount(email: "jo@example.com", password: "correct horse 7 battery", roles: ["editor"])
        let jo = try await server.remote().perform(
            SignIn(identifier: .email(EmailAddress("jo@example.com")), password: Secret("correct horse 7 battery")))
        token = jo.tokens.accessToken.reveal()
        server.route("GET", "/projects") { visit in .json(#"["\#(visit.user.email?.text ?? "")"]"#) }
        server.route("PUT", "/projects/{id}") { visit in .json(#""\#(visit.values["id"] ?? "")""#, status: 201) }
        server.route("GET", "/admin", role: "admin") { _ in .json("{}") }
        server.route("GET", "/edit", role: "editor") { _ in .json("{}") }
    }

    private func ask(_ method: String, _ path: String, token: String? = nil) async throws -> WireResponse {
        let bearer = token ?? self.token
        let headers = bearer.isEmpty ? [:] : ["authorization": BearerToken.write(bearer)]
        return try await server.send(
            WireRequest(method: method, path: path, headers: headers), to: server.baseURL, within: .seconds(1))
    }

    @Test func `answers whoever is signed in`() async throws {
        let answer = try await ask("GET", "/projects")
        #expect(answer.status == 200)
        #expect(try JSON.read(answer.body) == ["jo@example.com"])
    }

    @Test func `takes a name out of the path`() async throws {
        let answer = try await ask("PUT", "/projects/a%20b")
        #expect(answer.status == 201)
        #expect(try JSON.read(answer.body) == "a b")
    }

    @Test(arguments: ["", "nobody's"]) func `refuses whoever shows no token that is good`(_ token: String) async throws
    {
        let answer = try await ask("GET", "/projects", token: token)
        #expect(answer.status == 401)
        #expect(answer.headers["www-authenticate"] == "Bearer error=\"invalid_token\"")
        #expect(try JSON.read(answer.body)["code"] == "invalid_access_token")
    }

    @Test func `refuses a token that is over, and one of a session that was ended`() async throws {
        server.endSessions(of: "jo@example.com")
        #expect(try JSON.read(await ask("GET", "/projects").body)["code"] == "session_revoked")
        server.clock.advance(by: .seconds(60))
        #expect(try JSON.read(await ask("GET", "/projects").body)["code"] == "invalid_access_token")
    }

    @Test func `refuses whoever lacks a role`() async throws {
        #expect(try await ask("GET", "/admin").status == 403)
        #expect(try await ask("GET", "/edit").status == 200)
        try server.setRoles(["admin"], of: "jo@example.com")
        #expect(try await ask("GET", "/admin").status == 200)
    }

    @Test func `knows no other path or method`() async throws {
        #expect(try await ask("POST", "/projects").status == 404)
        #expect(try await ask("GET", "/projects/").status == 404)
    }

    @Test func `counts the use of a new token as a client's own`() async throws {
        let remote = try server.remote()
        let jo = try await remote.perform(
            SignIn(identifier: .email(EmailAddress("jo@example.com")), password: Secret("correct horse 7 battery")))
        let old = try #require(jo.tokens.refreshToken)
        let next = try await remote.perform(Refresh(refreshToken: old))
        #expect(try await ask("GET", "/projects", token: next.accessToken.reveal()).status == 200)
        server.clock.advance(by: .seconds(30))
        await #expect(throws: AuthError.refreshTokenReused) { try await remote.perform(Refresh(refreshToken: old)) }
    }
}
