import Crypto
import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import OstiaryStore
import OstiaryTesting
import Testing

/// The page that the link of a notice about an unusual sign-in leads to.
@Suite(.timeLimit(.minutes(5)))
struct SignInDenialPageTests {
    private struct Scene {
        let client: AppClient
        let server: LiveServer
        var world: World { client.world }

        private static let page = "/vici/deny-sign-in"

        /// Signs in to Jo's account from an unknown network, and returns the token of the link and the session's tokens.
        func attacked() async throws -> (token: String, tokens: Tokens) {
            _ = try await client.register()
            let engine = client.app.engine
            let attacker = Caller(address: "198.51.100.1", network: "198.51.100.1")
            let signedIn = try await engine.serving(attacker).perform(
                SignIn(identifier: .email(AppClient.email), password: AppClient.password, rememberMe: true))
            return (try world.notificationSealer.signInNotice().denialToken.reveal(), signedIn.tokens)
        }

        func open(_ token: String, _ headers: [String: String] = [:]) async throws -> HTTPAnswer {
            try await server.ask("GET", "\(Self.page)?token=\(token)", headers)
        }

        /// Sends the form of an opened page.
        func press(
            _ opened: HTTPAnswer, headers: [String: String] = [:], change: (String) -> String = { $0 }
        ) async throws -> HTTPAnswer {
            let cookie = try #require(opened["set-cookie"]?.split(separator: ";").first)
            let fields = opened.body.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)">/)
            let sent = [
                "Content-Type": "application/x-www-form-urlencoded", "Cookie": String(cookie), "Origin": "null",
                "Sec-Fetch-Site": "same-origin",
            ]
            return try await server.ask(
                "POST", Self.page, sent.merging(headers) { $1 },
                body: change(fields.map { "\($0.1)=\($0.2)" }.joined(separator: "&")))
        }
    }

    private func run(_ body: (Scene) async throws -> Void) async throws {
        let world = try await World([.vici])
        try await LiveServer.run(world) { server in
            try await body(Scene(client: AppClient(.vici, in: world), server: server))
        }
    }

    @Test func `ends every session and makes the password unusable, once, when the person presses the button`()
        async throws
    {
        try await run { scene in
            let (token, tokens) = try await scene.attacked()
            let opened = try await scene.open(token)
            #expect(opened.status == 200)
            #expect(opened.body.contains("<button>This was not me</button>"))
            #expect(opened.body.contains(#"action="deny-sign-in""#))
            let denied = try await scene.press(opened)
            #expect(denied.status == 200 && denied.body.contains("Your account is signed out on all devices"))
            #expect(denied["set-cookie"] == nil)
            await #expect(throws: AuthError.sessionRevoked) {
                try await scene.client.auth.perform(CurrentUser(accessToken: tokens.accessToken))
            }
            await #expect(throws: AuthError.wrongCredentials) { try await scene.client.signIn() }
            _ = try scene.world.notificationSealer.resetToken()
            let again = try await scene.press(opened)
            #expect(again.status == 404 && again.body.contains("This link is no longer good"))
            #expect(try await scene.open(token).status == 404)
        }
    }

    @Test func `link scanners act on nothing`() async throws {
        try await run { scene in
            let (token, tokens) = try await scene.attacked()
            for method in ["GET", "HEAD", "GET"] {
                let answer = try await scene.server.ask(method, "/vici/deny-sign-in?token=\(token)")
                #expect(answer.status == 200)
            }
            let form = ["Content-Type": "application/x-www-form-urlencoded"]
            for body in ["", "token=\(token)", "token=\(token)&form_token=x"] {
                for path in ["/vici/deny-sign-in", "/vici/deny-sign-in?token=\(token)"] {
                    #expect(try await scene.server.ask("POST", path, form, body: body).status == 403)
                }
            }
            for method in ["PUT", "DELETE", "PATCH"] {
                let answer = try await scene.server.ask(method, "/vici/deny-sign-in?token=\(token)")
                #expect(answer.status == 405 && answer["allow"] == "GET, HEAD, POST")
            }
            _ = try await scene.client.auth.perform(CurrentUser(accessToken: tokens.accessToken))
        }
    }

    @Test func `a form of another site, of another browser or without its token acts on nothing`() async throws {
        try await run { scene in
            let (token, tokens) = try await scene.attacked()
            let opened = try await scene.open(token)
            let other = try await scene.open(token)
            let cookie = try #require(other["set-cookie"]?.split(separator: ";").first)
            #expect(try await scene.press(opened, headers: ["Cookie": String(cookie)]).status == 403)
            #expect(try await scene.press(opened, headers: ["Sec-Fetch-Site": "cross-site"]).status == 403)
            #expect(try await scene.press(opened, headers: ["Origin": "https://evil.example"]).status == 403)
            let bare = try await scene.press(opened) { $0.replacing(/&?form_token=[^&]*/, with: "") }
            #expect(bare.status == 403)
            #expect(try await scene.press(opened, change: { "\($0)&token=\(token)" }).status == 400)
            _ = try await scene.client.auth.perform(CurrentUser(accessToken: tokens.accessToken))
        }
    }

    @Test(arguments: ["", "?token=", "?token=x", "?token=%00", "?x=1"])
    func `a link without a valid token says so`(query: String) async throws {
        try await run { scene in
            let answer = try await scene.server.ask("/vici/deny-sign-in\(query)")
            #expect(answer.status == 404 && !answer.body.contains("<form"))
            #expect(answer.body.contains("Nothing was changed now."))
        }
    }
}
