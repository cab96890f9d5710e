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

/// The page that the link of a notice about second factors leads to.
@Suite(.timeLimit(.minutes(5)))
struct FactorUndoPageTests {
    private struct Scene {
        let client: AppClient
        let server: LiveServer
        var world: World { client.world }

        private static let page = "/vici/undo-factor-change"

        /// Adds an authenticator app to Jo's account, whose address is verified, and returns the token of the link.
        func added() async throws -> (token: String, tokens: Tokens) {
            _ = try await client.register()
            _ = try await client.auth.perform(RequestPasswordReset(email: AppClient.email))
            let reset = try world.notificationSealer.resetToken()
            _ = try await client.auth.perform(ResetPassword(proof: .token(reset), password: AppClient.password))
            let tokens = try await client.signIn().tokens
            let pending = try await client.auth.perform(BeginTOTP(accessToken: tokens.accessToken))
            let app = try #require(TestAuthenticator(uri: pending.uri.reveal()))
            let confirmed = try await client.auth.perform(
                ConfirmTOTP(
                    accessToken: tokens.accessToken, factorID: pending.factorID,
                    code: OneTimeCode(app.code(at: world.clock.now))))
            #expect(confirmed.added?.codes?.count == 10)
            return (try #require(try world.notificationSealer.factorNotice().undoToken).reveal(), tokens)
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

        func factors() async throws -> Int {
            let account = try await world.store.account(identifiedBy: .email(AppClient.email), in: AppName("vici"))
            return try await world.store.factors(of: #require(account).id, in: AppName("vici")).factors.count
        }
    }

    private func run(_ body: (Scene) async throws -> Void) async throws {
        let world = try await World([.vici])
        try await LiveServer.run(world) { server in
            try await body(Scene(client: AppClient(.vici, in: world), server: server))
        }
    }

    @Test func `undoes the change, once, when the person presses the button`() async throws {
        try await run { scene in
            let (token, tokens) = try await scene.added()
            let opened = try await scene.open(token)
            #expect(opened.status == 200)
            #expect(opened.body.contains("An authenticator app was added to your account."))
            #expect(opened.body.contains("<button>Undo and sign out everywhere</button>"))
            #expect(opened.body.contains(#"action="undo-factor-change""#))
            #expect(opened["content-security-policy"]?.contains("form-action 'self'") == true)
            let undone = try await scene.press(opened)
            #expect(undone.status == 200 && undone.body.contains("The change is undone"))
            #expect(try await scene.factors() == 0)
            await #expect(throws: AuthError.sessionRevoked) {
                try await scene.client.auth.perform(CurrentUser(accessToken: tokens.accessToken))
            }
            let again = try await scene.press(opened)
            #expect(again.status == 404 && again.body.contains("This link is no longer good"))
            #expect(try await scene.open(token).status == 404)
        }
    }

    @Test func `link scanners act on nothing`() async throws {
        try await run { scene in
            let (token, tokens) = try await scene.added()
            for method in ["GET", "HEAD", "GET"] {
                let answer = try await scene.server.ask(method, "/vici/undo-factor-change?token=\(token)")
                #expect(answer.status == 200)
            }
            let form = ["Content-Type": "application/x-www-form-urlencoded"]
            for body in ["", "token=\(token)", "token=\(token)&form_token=x"] {
                let answer = try await scene.server.ask("POST", "/vici/undo-factor-change", form, body: body)
                #expect(answer.status == 403)
                let bare = try await scene.server.ask(
                    "POST", "/vici/undo-factor-change?token=\(token)", form, body: body)
                #expect(bare.status == 403)
            }
            for method in ["PUT", "DELETE", "PATCH"] {
                let answer = try await scene.server.ask(method, "/vici/undo-factor-change?token=\(token)")
                #expect(answer.status == 405 && answer["allow"] == "GET, HEAD, POST")
            }
            #expect(try await scene.factors() == 1)
            _ = try await scene.client.auth.perform(CurrentUser(accessToken: tokens.accessToken))
        }
    }

    @Test func `a form of another site, of another browser or without its token acts on nothing`() async throws {
        try await run { scene in
            let (token, _) = try await scene.added()
            let opened = try await scene.open(token)
            let other = try await scene.open(token)
            let cookie = try #require(other["set-cookie"]?.split(separator: ";").first)
            #expect(try await scene.press(opened, headers: ["Cookie": String(cookie)]).status == 403)
            #expect(try await scene.press(opened, headers: ["Sec-Fetch-Site": "cross-site"]).status == 403)
            #expect(try await scene.press(opened, headers: ["Origin": "https://evil.example"]).status == 403)
            let bare = try await scene.press(opened) { $0.replacing(/&?form_token=[^&]*/, with: "") }
            #expect(bare.status == 403)
            let doubled = try await scene.press(opened) { "\($0)&token=\(token)" }
            #expect(doubled.status == 400)
            #expect(try await scene.factors() == 1)
        }
    }

    @Test(arguments: ["", "?token=", "?token=x", "?token=%00", "?x=1"])
    func `a link without a valid token says so`(query: String) async throws {
        try await run { scene in
            let answer = try await scene.server.ask("/vici/undo-factor-change\(query)")
            #expect(answer.status == 404 && !answer.body.contains("<form"))
            #expect(answer.body.contains("Nothing was changed now."))
        }
    }

    @Test func `opens no page for a doubled parameter`() async throws {
        try await run { scene in
            let (token, _) = try await scene.added()
            #expect(try await scene.open("\(token)&token=\(token)").status == 400)
        }
    }

    @Test func `says what it does in German`() async throws {
        try await run { scene in
            let (token, _) = try await scene.added()
            let answer = try await scene.open(token, ["Accept-Language": "de"])
            #expect(answer.body.contains("Eine Authenticator-App wurde Ihrem Konto hinzugefügt."))
            #expect(answer.body.contains("<button>Rückgängig machen und überall abmelden</button>"))
        }
    }

    @Test func `does not exist where an app has no second factors`() async throws {
        let world = try await World([.vici]) { $0.secondFactor.requirement = .off }
        try await LiveServer.run(world) { server in
            let answer = try await server.ask("/vici/undo-factor-change?token=x")
            #expect(answer.status == 404 && !answer.body.contains("<html"))
        }
    }
}
