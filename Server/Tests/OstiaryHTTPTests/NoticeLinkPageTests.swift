import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@testable import OstiaryHTTP

/// The pages that the links of security notices lead to.
@Suite(.timeLimit(.minutes(5)))
struct NoticeLinkPageTests {
    @Test(arguments: NoticeLink.allCases)
    func `the link works once`(link: NoticeLink) async throws {
        try await NoticeScene.run(link) { scene in
            let (token, tokens) = try await scene.mailed()
            let opened = try await scene.open(token)
            #expect(opened.status == 200)
            #expect(opened.body.contains(#"action="\#(link.rawValue.dropFirst())""#))
            #expect(opened["content-security-policy"]?.contains("form-action 'self'") == true)
            let pressed = try await scene.press(opened)
            #expect(pressed.status == 200 && pressed["set-cookie"] == nil)
            await #expect(throws: AuthError.sessionRevoked) {
                try await scene.client.auth.perform(CurrentUser(accessToken: tokens.accessToken))
            }
            let again = try await scene.press(opened)
            #expect(again.status == 404 && again.body.contains("This link is no longer good"))
            #expect(try await scene.open(token).status == 404)
        }
    }

    @Test(arguments: NoticeLink.allCases)
    func `link scanners act on nothing`(link: NoticeLink) async throws {
        try await NoticeScene.run(link) { scene in
            let (token, tokens) = try await scene.mailed()
            let factors = try await scene.factors()
            for method in ["GET", "HEAD", "GET"] {
                #expect(try await scene.server.ask(method, "\(scene.page)?token=\(token)").status == 200)
            }
            let form = ["Content-Type": "application/x-www-form-urlencoded"]
            for body in ["", "token=\(token)", "token=\(token)&form_token=x"] {
                for path in [scene.page, "\(scene.page)?token=\(token)"] {
                    #expect(try await scene.server.ask("POST", path, form, body: body).status == 403)
                }
            }
            for method in ["PUT", "DELETE", "PATCH"] {
                let answer = try await scene.server.ask(method, "\(scene.page)?token=\(token)")
                #expect(answer.status == 405 && answer["allow"] == "GET, HEAD, POST")
            }
            #expect(try await scene.factors() == factors)
            _ = try await scene.client.auth.perform(CurrentUser(accessToken: tokens.accessToken))
        }
    }

    @Test(arguments: NoticeLink.allCases)
    func `a form of another site, of another browser or without its token acts on nothing`(
        link: NoticeLink
    ) async throws {
        try await NoticeScene.run(link) { scene in
            let (token, tokens) = try await scene.mailed()
            let factors = try await scene.factors()
            let opened = try await scene.open(token)
            let other = try await scene.open(token)
            let cookie = try #require(other["set-cookie"]?.split(separator: ";").first)
            #expect(try await scene.press(opened, headers: ["Cookie": String(cookie)]).status == 403)
            #expect(try await scene.press(opened, headers: ["Sec-Fetch-Site": "cross-site"]).status == 403)
            #expect(try await scene.press(opened, headers: ["Origin": "https://evil.example"]).status == 403)
            let bare = try await scene.press(opened) { $0.replacing(/&?form_token=[^&]*/, with: "") }
            #expect(bare.status == 403)
            #expect(try await scene.press(opened) { "\($0)&token=\(token)" }.status == 400)
            #expect(try await scene.factors() == factors)
            _ = try await scene.client.auth.perform(CurrentUser(accessToken: tokens.accessToken))
        }
    }

    @Test(arguments: NoticeLink.allCases)
    func `a link without a valid token says so`(link: NoticeLink) async throws {
        try await NoticeScene.run(link) { scene in
            for query in ["", "?token=", "?token=x", "?token=%00", "?x=1"] {
                let answer = try await scene.server.ask("\(scene.page)\(query)")
                #expect(answer.status == 404 && !answer.body.contains("<form"))
                #expect(answer.body.contains("Nothing was changed now."))
            }
        }
    }

    @Test(arguments: NoticeLink.allCases)
    func `a link is none of another notice`(link: NoticeLink) async throws {
        try await NoticeScene.run(link) { scene in
            let (token, _) = try await scene.mailed()
            for other in NoticeLink.allCases where other != link {
                #expect(try await scene.server.ask("/vici\(other.rawValue)?token=\(token)").status == 404)
            }
            #expect(try await scene.open(token).status == 200)
        }
    }

    @Test(arguments: NoticeLink.allCases)
    func `opens no page for a doubled parameter`(link: NoticeLink) async throws {
        try await NoticeScene.run(link) { scene in
            let (token, _) = try await scene.mailed()
            #expect(try await scene.open("\(token)&token=\(token)").status == 400)
        }
    }

    // MARK: "This was not me"

    @Test func `a denial makes the password unusable and mails another`() async throws {
        try await NoticeScene.run(.signInDenial) { scene in
            let opened = try await scene.open(scene.mailed().token)
            #expect(opened.body.contains("<button>This was not me</button>"))
            let denied = try await scene.press(opened)
            #expect(denied.body.contains("Your account is signed out on all devices"))
            await #expect(throws: AuthError.wrongCredentials) { try await scene.client.signIn() }
            _ = try scene.world.notificationSealer.resetToken()
        }
    }

    // MARK: Undo

    @Test func `an undo removes the factor that was added`() async throws {
        try await NoticeScene.run(.factorUndo) { scene in
            let opened = try await scene.open(scene.mailed().token)
            #expect(opened.body.contains("An authenticator app was added to your account."))
            #expect(opened.body.contains("<button>Undo and sign out everywhere</button>"))
            let undone = try await scene.press(opened)
            #expect(undone.body.contains("The change is undone"))
            #expect(try await scene.factors() == 0)
        }
    }

    @Test func `says what an undo does in German`() async throws {
        try await NoticeScene.run(.factorUndo) { scene in
            let answer = try await scene.open(scene.mailed().token, ["Accept-Language": "de"])
            #expect(answer.body.contains("Eine Authenticator-App wurde Ihrem Konto hinzugefügt."))
            #expect(answer.body.contains("<button>Rückgängig machen und überall abmelden</button>"))
        }
    }

    @Test func `there is no undo where an app has no second factors`() async throws {
        let world = try await World([.vici]) { $0.secondFactor.requirement = .off }
        try await LiveServer.run(world) { server in
            let answer = try await server.ask("/vici/undo-factor-change?token=x")
            #expect(answer.status == 404 && !answer.body.contains("<html"))
        }
    }
}
