import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@testable import OstiaryHTTP

/// The account page and the changes that it leads to.
@Suite(.timeLimit(.minutes(5))) struct ProviderAccountTests {
    private static let pages = [
        "/idp/account", "/idp/account/name", "/idp/account/password", "/idp/account/authenticator",
        "/idp/account/passkey", "/idp/account/factor?id=x", "/idp/account/recovery-codes",
    ]

    @Test(arguments: pages) func `a page of the account is for the person who is signed in`(path: String) async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        #expect(try await browser.get(path).location == "/idp/sign-in")
        _ = try await browser.registerHere()
        let cookie = try #require(browser.cookies["__Host-ostiary-idp"])
        let page = try await browser.get("/idp/account")
        _ = try await browser.submit(page, to: "/idp/end-session")
        browser.keep("__Host-ostiary-idp", cookie)
        #expect(try await browser.get(path).location == "/idp/sign-in")
    }

    @Test func `the page shows the profile, the factors, the sessions and the apps`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        let page = try await browser.registerHere()
        #expect(page.html.contains("Ada Lovelace") && page.html.contains(Browser.email))
        #expect(page.html.contains("No app is signed in") && page.html.contains("A second factor protects"))
        _ = try await browser.addAuthenticator()
        let end = try await browser.get("/idp/authorize?\(ProviderWorld.query())")
        _ = try await world.redeem(try #require(parameter("code", of: end.location)))
        let full = try await browser.get("/idp/account").html
        for text in [
            "<bdi>Phone</bdi> <span class=\"badge\">Authenticator app</span>", "10 recovery codes left",
            "<bdi>House</bdi>", "Knows your name and your email address", "This browser", "192.0.2.7",
        ] {
            #expect(full.contains(text), "\(text)")
        }
        #expect(full.contains("<time datetime=\"") && full.contains(" UTC</time>"))
    }

    @Test func `the name changes, and a name that is none is told`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        _ = try await browser.registerHere()
        let form = try await browser.get("/idp/account/name")
        #expect(form.html.contains("value=\"Ada Lovelace\""))
        for name in ["", String(repeating: "n", count: 10_000), "a\u{0}b"] {
            let refused = try await browser.submit(form, ["full_name": name])
            #expect(refused.status == 400 && refused.html.contains("id=\"full_name-problem\""))
        }
        let done = try await browser.submit(form, ["full_name": "<b>Ada</b>"])
        #expect(done.status == 303 && done.location == "/idp/account")
        let page = try await browser.get("/idp/account").html
        #expect(page.contains("&lt;b&gt;Ada&lt;/b&gt;") && !page.contains("<b>Ada"))
    }

    @Test func `the password changes with the current one, and ends the other sessions`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world), other = Browser(in: world)
        _ = try await browser.registerHere()
        _ = try await other.signIn()
        #expect(try await other.get("/idp/account").status == 200)
        // The request carries the password, so that no step-up comes before.
        world.clock.advance(by: .seconds(400))
        let form = try await browser.get("/idp/account/password")
        #expect(form.action == "/idp/account/password")
        let wrong = try await browser.submit(
            form, ["current_password": "wrong horse battery", "password": "a new horse battery"])
        #expect(wrong.status == 403 && wrong.html.contains("id=\"current_password-problem\""))
        let short = try await browser.submit(form, ["current_password": Browser.password, "password": "short"])
        #expect(short.status == 400 && short.html.contains("id=\"password-problem\""))
        let done = try await browser.submit(
            form, ["current_password": Browser.password, "password": "a new horse battery"])
        #expect(done.status == 200 && done.html.contains("Your password is changed"))
        #expect(try await browser.get("/idp/account").status == 200)
        #expect(try await other.get("/idp/account").location == "/idp/sign-in")
    }

    @Test func `an authenticator app is added with a code, and its key is shown as picture and text`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        _ = try await browser.registerHere()
        let begun = try await browser.submit(
            try await browser.get("/idp/account/authenticator"), to: "/idp/account/authenticator")
        let uri = try #require(begun.hidden["uri"])
        let picture = try #require(QRCode(uri))
        #expect(begun.html.contains("<path d=\"\(picture.path)\" fill=\"#000\"/>"))
        let key = try #require(parameter("secret", of: uri))
        #expect(begun.html.replacing(" ", with: "").contains("<code>\(key)</code>"))
        #expect(begun.html.contains("href=\"otpauth://totp/"))
        let wrong = try await browser.submit(begun, ["code": "000000", "name": "Phone <b>"])
        #expect(wrong.status == 400 && wrong.html.contains(picture.path) && wrong.html.contains("Phone &lt;b&gt;"))
        let authenticator = try #require(TestAuthenticator(uri: uri))
        let fields = ["code": authenticator.code(at: world.clock.now), "name": "Phone <b>"]
        let shown = try await browser.submit(wrong, fields)
        #expect(Set(Browser.codes(on: shown)).count == 10 && shown.html.contains("data-copy=\"codes\""))
        // A second submission of the form adds nothing, and shows no codes.
        let again = try await browser.submit(wrong, fields)
        #expect(again.status == 404 && Browser.codes(on: again).isEmpty)
        #expect(try await browser.get("/idp/account").html.contains("Phone &lt;b&gt;"))
    }

    @Test(arguments: [
        ["uri": "javascript:alert(1)"], ["uri": "otpauth://totp/x"], ["uri": ""], ["factor_id": "../x"],
        ["uri": "otpauth://totp/x?secret=A&secret=B"], ["uri": "otpauth://totp/" + String(repeating: "x", count: 2000)],
    ])
    func `a form of a new authenticator that was changed is refused`(change: [String: String]) async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        _ = try await browser.registerHere()
        let begun = try await browser.submit(
            try await browser.get("/idp/account/authenticator"), to: "/idp/account/authenticator")
        let answer = try await browser.submit(begun, ["code": "000000", "name": "x"].merging(change) { $1 })
        #expect(answer.status == 400 && !answer.html.contains("<figure>"))
    }

    @Test func `changes of factors need a recent authentication, and come back to their page`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        _ = try await browser.registerHere()
        world.clock.advance(by: .seconds(301))
        let challenge = try await browser.get("/idp/account/authenticator")
        #expect(challenge.action == "/idp/challenge" && challenge.html.contains("name=\"password\""))
        let wrong = try await browser.submit(challenge, ["password": "wrong horse battery"])
        #expect(wrong.status == 403 && wrong.html.contains("The password is not correct."))
        let raised = try await browser.submit(wrong, ["password": Browser.password])
        #expect(raised.status == 303 && raised.location == "/idp/account/authenticator")
        #expect(try await browser.arrive(raised).action == "/idp/account/authenticator")

        let person = try await browser.addAuthenticator()
        world.clock.advance(by: .seconds(301))
        let page = try await browser.get("/idp/account").html
        let url = try #require(page.firstMatch(of: /href="(\/idp\/account\/factor\?id=[^"]+)"/)).1
        for path in [String(url), "/idp/account/recovery-codes", "/idp/account/passkey"] {
            let first = try await browser.get(path)
            #expect(first.html.contains("Type your password."))
            let second = try await browser.submit(first, ["password": Browser.password])
            #expect(second.status == 200 && second.html.contains("Open your authenticator app"))
            let code = person.authenticator.code(at: world.clock.now)
            let third = try await browser.submit(second, ["code": code])
            #expect(third.status == 303 && third.location == path)
            world.clock.advance(by: .seconds(301))
        }
    }

    @Test func `a post without a recent authentication changes nothing`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        _ = try await browser.registerHere()
        _ = try await browser.addAuthenticator()
        let page = try await browser.get("/idp/account").html
        let url = try #require(page.firstMatch(of: /href="(\/idp\/account\/factor\?id=[^"]+)"/)).1
        let factor = try await browser.get(String(url))
        let codes = try await browser.get("/idp/account/recovery-codes")
        world.clock.advance(by: .seconds(301))
        for answer in [
            try await browser.submit(factor, to: "/idp/account/factor", ["decision": "remove"]),
            try await browser.submit(factor, ["decision": "rename", "name": "Other"]),
            try await browser.submit(codes), try await browser.post("/idp/account/authenticator", codes.hidden),
        ] {
            #expect(answer.status == 200 && answer.action == "/idp/challenge")
        }
        #expect(try await browser.get("/idp/account").html.contains("<bdi>Phone</bdi>"))
        #expect(try await browser.get("/idp/account").html.contains("10 recovery codes left"))
    }

    @Test func `a factor is renamed and removed, and recovery codes are replaced`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        _ = try await browser.registerHere()
        let person = try await browser.addAuthenticator()
        let url = try #require(
            try await browser.get("/idp/account").html.firstMatch(of: /href="(\/idp\/account\/factor\?id=[^"]+)"/)
        ).1
        let page = try await browser.get(String(url))
        #expect(page.html.contains("This is your only second factor."))
        for name in ["", " ", String(repeating: "n", count: 65)] {
            let refused = try await browser.submit(page, ["decision": "rename", "name": name])
            #expect(refused.status == 400 && refused.html.contains("id=\"name-problem\""))
        }
        #expect(try await browser.submit(page, ["decision": "rename", "name": "Tablet"]).status == 303)
        #expect(try await browser.get("/idp/account").html.contains("<bdi>Tablet</bdi>"))
        #expect(try await browser.submit(page, ["decision": "none"]).status == 400)

        let replaced = try await browser.submit(try await browser.get("/idp/account/recovery-codes"))
        let codes = Browser.codes(on: replaced)
        #expect(codes.count == 10 && Set(codes).isDisjoint(with: person.codes))
        #expect(replaced.html.contains("The earlier codes no longer work."))

        let removed = try await browser.submit(page, to: "/idp/account/factor", ["decision": "remove"])
        #expect(removed.status == 303 && removed.location == "/idp/account")
        #expect(try await browser.get("/idp/account").html.contains("A second factor protects"))
        #expect(try await browser.get(String(url)).status == 404)
    }

    @Test func `a factor of another account is not there`() async throws {
        let world = try await ProviderWorld()
        let ada = Browser(in: world), eve = Browser(in: world)
        _ = try await ada.registerHere()
        _ = try await ada.addAuthenticator()
        let url = try #require(
            try await ada.get("/idp/account").html.firstMatch(of: /href="(\/idp\/account\/factor\?id=[^"]+)"/)
        ).1
        _ = try await eve.registerHere("eve@example.com", name: "Eve")
        _ = try await eve.addAuthenticator()
        #expect(try await eve.get(String(url)).status == 404)
        let own = try await eve.get("/idp/account/recovery-codes")
        let id = try #require(parameter("id", of: String(url)))
        for decision in ["remove", "rename"] {
            let answer = try await eve.post(
                "/idp/account/factor", own.hidden.merging(["id": id, "decision": decision, "name": "x"]) { $1 })
            #expect(answer.status == 404)
        }
        #expect(try await ada.get("/idp/account").html.contains("<bdi>Phone</bdi>"))
    }

    @Test func `a session ends from another browser, with the clients that it signed in to`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world), other = Browser(in: world)
        _ = try await browser.registerHere()
        let end = try await other.follow(
            try await other.signIn(ProviderWorld.query(["scope": "openid email offline_access"])))
        let (_, tokens) = try await world.redeem(try #require(parameter("code", of: end.location)))
        guard case .string(let token)? = tokens["refresh_token"] else {
            Issue.record("no refresh token")
            return
        }
        let page = try await browser.get("/idp/account")
        #expect(page.html.matches(of: /action="\/idp\/account\/session"/).count == 1)
        let ended = try await browser.submit(page, to: "/idp/account/session")
        #expect(ended.status == 303 && ended.location == "/idp/account")
        #expect(try await other.get("/idp/account").location == "/idp/sign-in")
        #expect(try await browser.get("/idp/account").html.contains("No app is signed in"))
        let refused = try await world.redeem("", ["grant_type": "refresh_token", "refresh_token": token])
        #expect(refused.body["error"] == "invalid_grant")
    }

    @Test func `an app is disconnected`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        let end = try await browser.register(ProviderWorld.query(["scope": "openid offline_access"]))
        for _ in 0..<2 {
            let code = try #require(parameter("code", of: end.location))
            _ = try await world.redeem(code)
            let again = try await browser.get("/idp/authorize?\(ProviderWorld.query(["scope": "openid email"]))")
            _ = try await world.redeem(try #require(parameter("code", of: again.location)))
        }
        let page = try await browser.get("/idp/account")
        #expect(page.html.matches(of: /action="\/idp\/account\/app"/).count == 1)
        #expect(page.html.contains("Knows your email address"))
        let unknown = try await browser.submit(page, to: "/idp/account/app", ["client": "stranger"])
        #expect(unknown.status == 404)
        #expect(try await browser.submit(page, to: "/idp/account/app").status == 303)
        #expect(try await browser.get("/idp/account").html.contains("No app is signed in"))
    }

    @Test func `another account's session does not end`() async throws {
        let world = try await ProviderWorld()
        let ada = Browser(in: world), second = Browser(in: world), eve = Browser(in: world)
        _ = try await ada.registerHere()
        _ = try await second.signIn()
        let form = try #require(
            try await ada.get("/idp/account").forms.first { $0.action == "/idp/account/session" })
        _ = try await eve.registerHere("eve@example.com", name: "Eve")
        let token = try #require(try await eve.get("/idp/account").hidden["form_token"])
        var forged = form.hidden
        forged["form_token"] = token
        #expect(try await eve.post("/idp/account/session", forged).status == 404)
        #expect(try await second.get("/idp/account").status == 200)
    }

    @Test func `where there are no second factors the page says nothing of them`() async throws {
        let world = try await ProviderWorld(adjusting: { $0.secondFactor.requirement = .off })
        let browser = Browser(in: world)
        let page = try await browser.registerHere()
        #expect(!page.html.contains("Second factors") && !page.html.contains("/idp/account/authenticator"))
        for path in ["/account/authenticator", "/account/passkey", "/account/recovery-codes"] {
            #expect(await world.ask("GET", path).status == 404)
        }
        #expect(await world.ask("POST", "/challenge", form: "x=y").status == 404)
        #expect(!(try await browser.get("/idp/sign-in").html.contains("data-passkey")))
    }
}
