import Crypto
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import Testing

/// The pages that mailed links lead to.
@Suite(.timeLimit(.minutes(5)))
struct LinkPageTests {
    private struct Scene {
        let client: AppClient
        let server: LiveServer

        /// Opens the page as a browser does, and submits its form.
        func post(
            _ page: String, token: String, password: Secret<String>, headers: [String: String] = [:],
            meanwhile: () async throws -> Void = {}
        ) async throws -> HTTPAnswer {
            let opened = try await server.ask("/vici/\(page)?token=\(token)")
            try await meanwhile()
            let cookie = try #require(opened["set-cookie"]?.split(separator: ";").first)
            let fields = opened.body.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)">/)
            let form = fields.map { "\($0.1)=\($0.2)" } + ["password=\(password.reveal().replacing(" ", with: "+"))"]
            let sent = [
                "Content-Type": "application/x-www-form-urlencoded", "Cookie": String(cookie), "Origin": "null",
                "Sec-Fetch-Site": "same-origin",
            ]
            return try await server.ask(
                "POST", "/vici/\(page)", sent.merging(headers) { $1 }, body: form.joined(separator: "&"))
        }
    }

    private func run(isSafe: Bool = false, _ body: (Scene) async throws -> Void) async throws {
        let world = try await World([.vici]) { $0.registersSafely = isSafe }
        try await LiveServer.run(world) { server in
            try await body(Scene(client: AppClient(.vici, in: world), server: server))
        }
    }

    /// Returns the token for a new password that was sent to Jo.
    private func resetToken(_ scene: Scene) async throws -> String {
        _ = try await scene.client.register()
        _ = try await scene.client.auth.perform(RequestPasswordReset(email: AppClient.email))
        return try scene.client.world.notificationSealer.resetToken().reveal()
    }

    @Test(arguments: ["?token=TOKEN&token=TOKEN", "?token=TOKEN&x=1&x=2"])
    func `PT-38: opens no page for a doubled parameter`(query: String) async throws {
        try await run { scene in
            let token = try await resetToken(scene)
            #expect(try await scene.server.ask("/vici/reset-password?token=\(token)").status == 200)
            let answer = try await scene.server.ask("/vici/reset-password\(query.replacing("TOKEN", with: token))")
            #expect(answer.status == 400)
            #expect(!answer.body.contains("<form"))
        }
    }

    @Test func `sets a password, once, when the person presses the button`() async throws {
        try await run { scene in
            let token = try await resetToken(scene)
            let answer = try await scene.post("reset-password", token: token, password: AppClient.newPassword)
            #expect(answer.status == 200)
            _ = try await scene.client.signIn(password: AppClient.newPassword)
            let again = try await scene.server.ask("/vici/reset-password?token=\(token)")
            #expect(again.status == 400)
            #expect(again.body.contains("<h1>This link is no longer good</h1>"))
            #expect(!again.body.contains("<form") && again.body.contains("Ask for a new one in the app."))
        }
    }

    @Test func `shows no form again when the token was spent while the page was open`() async throws {
        try await run { scene in
            let token = try await resetToken(scene)
            let answer = try await scene.post("reset-password", token: token, password: AppClient.newPassword) {
                let first = try await scene.post("reset-password", token: token, password: AppClient.newPassword)
                #expect(first.status == 200)
            }
            #expect(answer.status == 400)
            #expect(answer.body.contains("<h1>This link is no longer good</h1>") && !answer.body.contains("<form"))
        }
    }

    @Test func `tells a link that was not sent from none that was, and takes no try of the owner's for it`()
        async throws
    {
        try await run { scene in
            let token = try await resetToken(scene)
            for _ in 0..<25 {
                #expect(try await scene.server.ask("/vici/reset-password?token=made-up").status == 400)
                #expect(try await scene.server.ask("/vici/reset-password?token=\(token)").status == 200)
            }
            let answer = try await scene.post("reset-password", token: token, password: AppClient.newPassword)
            #expect(answer.status == 200)
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

    @Test func `shows nothing of a token that is none`() async throws {
        try await run { scene in
            let answer = try await scene.server.ask(
                "/vici/reset-password?token=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
            #expect(answer.status == 400 && !answer.body.contains("alert(1)"))
        }
    }

    @Test(arguments: [
        ["Cookie": ""], ["Cookie": "ostiary-browser=\(String(repeating: "A", count: 43))"],
        ["Sec-Fetch-Site": "cross-site"], ["Origin": "https://evil.example"],
    ])
    func `takes no form that another page sent, even with the right token`(headers: [String: String]) async throws {
        try await run { scene in
            let token = try await resetToken(scene)
            let answer = try await scene.post(
                "reset-password", token: token, password: AppClient.newPassword, headers: headers)
            #expect(answer.status == 403)
            #expect(answer.body.contains("<h1>This form has expired</h1>"))
            _ = try await scene.client.signIn()
            #expect(
                try await scene.post("reset-password", token: token, password: AppClient.newPassword).status == 200)
        }
    }

    @Test func `tells a refused password at its field, and lets the person try again`() async throws {
        try await run { scene in
            let token = try await resetToken(scene)
            let answer = try await scene.post("reset-password", token: token, password: Secret("short"))
            #expect(answer.status == 400)
            #expect(
                answer.body.contains("<p class=\"complaint\" id=\"password-problem\">Too short: at least 8 characters"))
            #expect(answer.body.contains("name=\"token\" value=\"\(token)\""))
            #expect(!answer.body.contains("short\""))
        }
    }

    @Test func `speaks the language of whoever opens it, in the app's name and colour`() async throws {
        let keys = KeyRing(master: SymmetricKey(size: .bits256))
        let frame = Branding(name: "Vici & Co", color: "#f2b705", keys: keys, isSecure: true, isDevelopment: false)
        let world = try await World([.vici], frame: frame)
        try await LiveServer.run(world) { server in
            let token = try await resetToken(Scene(client: AppClient(.vici, in: world), server: server))
            let answer = try await server.ask(
                "GET", "/vici/reset-password?token=\(token)", ["Accept-Language": "de-AT"])
            #expect(answer.body.contains("<title>Neues Passwort wählen · Vici &amp; Co</title>"))
            #expect(answer.body.contains("/assets/ostiary.css?color=f2b705"))
            #expect(answer.body.contains("action=\"reset-password\""))
            #expect(answer["set-cookie"]?.hasPrefix("__Host-ostiary-browser=") == true)
            #expect(answer["set-cookie"]?.hasSuffix("; Secure") == true)
        }
    }

    @Test func `lets its form go nowhere else, and nobody frame it`() async throws {
        try await run { scene in
            let token = try await resetToken(scene)
            let answer = try await scene.server.ask("/vici/reset-password?token=\(token)")
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
            let token = try scene.client.world.notificationSealer.registrationToken().reveal()
            let answer = try await scene.post("confirm-registration", token: token, password: AppClient.newPassword)
            #expect(answer.status == 401)
            #expect(answer["www-authenticate"] == "Bearer")
            #expect(answer["content-type"] == "text/html; charset=utf-8")
        }
    }

    @Test func `finishes a registration, and signs nobody in`() async throws {
        try await run(isSafe: true) { scene in
            await #expect(throws: AuthError.confirmationRequired) { try await scene.client.register() }
            let token = try scene.client.world.notificationSealer.registrationToken().reveal()
            let answer = try await scene.post("confirm-registration", token: token, password: AppClient.password)
            #expect(answer.status == 200)
            #expect(answer["set-cookie"] == nil)
            let jo = try await scene.client.signIn()
            let sessions = try await scene.client.auth.perform(ListSessions(accessToken: jo.tokens.accessToken))
            #expect(sessions.count == 1)
            let again = try await scene.server.ask("/vici/confirm-registration?token=\(token)")
            #expect(again.status == 400 && !again.body.contains("<form"))
            #expect(again.body.contains("If your registration is finished, just sign in."))
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
