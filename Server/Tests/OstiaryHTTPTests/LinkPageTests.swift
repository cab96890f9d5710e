import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

/// The pages that the links in mails lead to.
@Suite(.timeLimit(.minutes(5)))
struct LinkPageTests {
    private struct Scene {
        let client: AppClient
        let server: LiveServer

        func post(_ page: String, token: String, password: Secret<String>) async throws -> HTTPAnswer {
            try await server.ask(
                "POST", "/vici/\(page)", ["Content-Type": "application/x-www-form-urlencoded"],
                body: "token=\(token)&password=\(password.reveal().replacing(" ", with: "+"))")
        }
    }

    private func run(isSafe: Bool = false, _ body: (Scene) async throws -> Void) async throws {
        let world = try await World([.vici]) { $0.registersSafely = isSafe }
        try await LiveServer.run(world) { server in
            try await body(Scene(client: AppClient(.vici, in: world), server: server))
        }
    }

    /// The token that Jo was sent for a new password.
    private func resetToken(_ scene: Scene) async throws -> String {
        _ = try await scene.client.register()
        _ = try await scene.client.auth.requestPasswordReset(RequestPasswordReset(email: AppClient.email))
        return try scene.client.world.courier.resetToken().reveal()
    }

    @Test func `sets a password, once, when the person presses the button`() async throws {
        try await run { scene in
            let token = try await resetToken(scene)
            let answer = try await scene.post("reset-password", token: token, password: AppClient.newPassword)
            #expect(answer.status == 200)
            _ = try await scene.client.signIn(password: AppClient.newPassword)
            let again = try await scene.post("reset-password", token: token, password: AppClient.password)
            #expect(again.status == 400)
        }
    }

    @Test func `spends nothing when a scanner opens it`() async throws {
        try await run { scene in
            let token = try await resetToken(scene)
            for method in ["GET", "HEAD", "OPTIONS", "GET"] {
                _ = try await scene.server.ask(method, "/vici/reset-password?token=\(token)", [:])
            }
            _ = try await scene.client.signIn()
            let answer = try await scene.post("reset-password", token: token, password: AppClient.newPassword)
            #expect(answer.status == 200)
        }
    }

    @Test func `shows a token as text and never as markup`() async throws {
        try await run { scene in
            let answer = try await scene.server.ask(
                "/vici/reset-password?token=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
            #expect(answer.body.contains("value=\"&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\""))
            #expect(!answer.body.contains("<script"))
        }
    }

    @Test func `lets its form go nowhere else, and nobody frame it`() async throws {
        try await run { scene in
            let answer = try await scene.server.ask("/vici/reset-password?token=t")
            let policy = try #require(answer["content-security-policy"])
            #expect(policy.contains("default-src 'none'"))
            #expect(policy.contains("form-action 'self'"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(answer["x-frame-options"] == "DENY")
            #expect(answer["cache-control"] == "no-store")
            #expect(answer["referrer-policy"] == "no-referrer")
        }
    }

    @Test func `asks for a bearer token with its 401 too`() async throws {
        try await run(isSafe: true) { scene in
            await #expect(throws: AuthError.confirmationRequired) { try await scene.client.register() }
            let token = try scene.client.world.courier.registrationToken().reveal()
            let answer = try await scene.post("confirm-registration", token: token, password: AppClient.newPassword)
            #expect(answer.status == 401)
            #expect(answer["www-authenticate"] == "Bearer")
            #expect(answer["content-type"] == "text/html; charset=utf-8")
        }
    }

    @Test func `finishes a registration, and signs nobody in`() async throws {
        try await run(isSafe: true) { scene in
            await #expect(throws: AuthError.confirmationRequired) { try await scene.client.register() }
            let token = try scene.client.world.courier.registrationToken().reveal()
            let answer = try await scene.post("confirm-registration", token: token, password: AppClient.password)
            #expect(answer.status == 200)
            #expect(answer["set-cookie"] == nil)
            let jo = try await scene.client.signIn()
            let sessions = try await scene.client.auth.listSessions(ListSessions(accessToken: jo.tokens.accessToken))
            #expect(sessions.count == 1)
        }
    }

    @Test func `does not exist where an app has no use for it`() async throws {
        try await LiveServer.run(World([.barqnet, .vici])) { server in
            for path in ["/barqnet/reset-password", "/barqnet/confirm-registration", "/vici/confirm-registration"] {
                let answer = try await server.ask(path)
                #expect(answer.status == 404)
            }
        }
    }
}
