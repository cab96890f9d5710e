import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider
import OstiaryTesting
import Testing

@testable import OstiaryHTTP

/// The page of the second factor, after the password and for a step-up.
@Suite(.timeLimit(.minutes(5))) struct ProviderChallengeTests {
    private static let challenge = "/idp/challenge"

    /// A person with an authenticator app, who is signed out.
    private func person(
        in world: ProviderWorld
    ) async throws -> (authenticator: TestAuthenticator, codes: [String]) {
        let browser = Browser(in: world)
        _ = try await browser.registerHere()
        let person = try await browser.addAuthenticator()
        world.clock.advance(by: .seconds(60))
        return person
    }

    @Test func `an account with a factor is asked for it after the password, and returns to the client`() async throws {
        let world = try await ProviderWorld()
        let person = try await person(in: world)
        let browser = Browser(in: world)
        let page = try await browser.signIn(ProviderWorld.query())
        #expect(page.status == 200 && page.action == Self.challenge)
        #expect(page.html.contains("Confirm your sign-in") && page.html.contains("to continue to <bdi>House</bdi>"))
        #expect(page.html.contains("autocomplete=\"one-time-code\" inputmode=\"numeric\""))
        #expect(browser.cookies["__Host-ostiary-idp"] == nil)
        #expect(page.response.headers["cache-control"] == "no-store")

        let wrong = try await browser.submit(page, ["code": "000000"])
        #expect(wrong.status == 400 && wrong.action == Self.challenge)
        #expect(wrong.html.contains("<p class=\"complaint\" id=\"code-problem\">The code is not correct"))
        #expect(wrong.html.contains("<title>Error: ") && !wrong.html.contains("000000"))

        // As the app shows it, with a space.
        let code = person.authenticator.code(at: world.clock.now)
        let answer = try await browser.submit(wrong, ["code": "\(code.prefix(3)) \(code.suffix(3))"])
        #expect(answer.status == 303 && answer.location?.hasPrefix("/idp/authorize?") == true)
        let end = try await browser.follow(answer)
        let (_, tokens) = try await world.redeem(try #require(parameter("code", of: end.location)))
        guard case .string(let token)? = tokens["id_token"] else {
            Issue.record("no ID token")
            return
        }
        let claims = try JSON.read(Base64URL.decode(token.split(separator: ".")[1].utf8) ?? [])
        #expect(claims["acr"] == "aal2" && claims["amr"] == ["mfa", "otp", "pwd"])
    }

    @Test func `a challenge is answered once, and not again with another code`() async throws {
        let world = try await ProviderWorld()
        let person = try await person(in: world)
        let browser = Browser(in: world)
        let page = try await browser.signIn()
        let code = person.authenticator.code(at: world.clock.now)
        #expect(try await browser.submit(page, ["code": code]).status == 303)
        let other = Browser(in: world)
        for answer in [code, person.codes[0]] {
            let again = try await browser.submit(page, ["code": answer])
            #expect(again.status == 400 && again.html.contains("This step has expired"))
            #expect(again.html.contains("class=\"button\" href=\"/idp/sign-in\""))
        }
        // The step is used up, too.
        let repeated = try await other.submit(try await other.signIn(), ["code": code])
        #expect(repeated.status == 400 && other.cookies["__Host-ostiary-idp"] == nil)
    }

    @Test func `the person switches between the methods without a script`() async throws {
        let world = try await ProviderWorld()
        let person = try await person(in: world)
        let browser = Browser(in: world)
        let page = try await browser.signIn()
        #expect(page.html.contains("<button class=\"quiet\" name=\"switch\" value=\"recovery_code\">Recovery code"))
        let other = try await browser.submit(page, to: Self.challenge, ["switch": "recovery_code"])
        #expect(other.status == 200 && other.html.contains("Type one of the recovery codes"))
        #expect(other.html.contains("name=\"switch\" value=\"totp\""))
        let wrong = try await browser.submit(other, ["code": "AAAAA-AAAAA"])
        #expect(wrong.status == 400 && wrong.html.contains("Try another one."))
        let typed = person.codes[0].lowercased().replacing("-", with: " ")
        #expect(try await browser.submit(wrong, ["code": typed]).status == 303)
        let none = try await browser.submit(page, to: Self.challenge, ["switch": "sms_code"])
        #expect(none.status == 400 && none.location == nil)
    }

    @Test func `an empty answer, the wrong answers and the time are told in words`() async throws {
        let world = try await ProviderWorld()
        _ = try await person(in: world)
        let browser = Browser(in: world)
        var page = try await browser.signIn(ProviderWorld.query())
        for code in ["", "  "] {
            page = try await browser.submit(page, ["code": code])
            #expect(page.status == 400 && page.html.contains("id=\"code-problem\">Type the code.</p>"))
        }
        for _ in 0..<5 {
            page = try await browser.submit(page, ["code": "000000"])
            #expect(page.html.contains("The code is not correct"))
        }
        let over = try await browser.submit(page, ["code": "000000"])
        #expect(over.status == 400 && over.html.contains("too many wrong answers"))
        // The way back leads to the client.
        let back = try #require(over.html.firstMatch(of: /class="button" href="([^"]+)">Sign in again/)).1
        #expect(String(back).contains("client_id=house"))

        page = try await browser.signIn()
        world.clock.advance(by: .seconds(301))
        #expect(try await browser.submit(page, ["code": "000000"]).html.contains("more than five minutes"))
    }

    @Test func `too many wrong answers of an account are told with the time to wait`() async throws {
        let world = try await ProviderWorld()
        let person = try await person(in: world)
        let browser = Browser(in: world)
        for count in [4, 4, 3] {
            world.clock.advance(by: .seconds(61))
            var page = try await browser.signIn()
            for _ in 0..<count { page = try await browser.submit(page, ["code": "000000"]) }
        }
        let page = try await browser.signIn()
        let code = person.authenticator.code(at: world.clock.now)
        let limited = try await browser.submit(page, ["code": code])
        #expect(limited.status == 429 && limited.response.headers["retry-after"] != nil)
        #expect(limited.html.contains("Too many attempts. Try again in") && limited.action == Self.challenge)
    }

    @Test func `no form of a challenge is taken without the browser's token (AD-11)`() async throws {
        let world = try await ProviderWorld()
        let person = try await person(in: world)
        let attacker = Browser(in: world), victim = Browser(in: world)
        let page = try await attacker.signIn()
        _ = try await victim.get("/idp/sign-in")
        var stolen = page.hidden
        stolen["code"] = person.authenticator.code(at: world.clock.now)
        // Another person's challenge and form token, posted in the victim's browser: it must not be signed in as the attacker.
        #expect(try await victim.post(Self.challenge, stolen).status == 403)
        #expect(victim.cookies["__Host-ostiary-idp"] == nil)
        attacker.fetchSite = "cross-site"
        #expect(try await attacker.post(Self.challenge, stolen).status == 403)
        for path in ["/challenge", "/passkey", "/enrol", "/account/authenticator", "/account/factor"] {
            #expect(await world.ask("POST", path, form: "form_token=x&challenge_token=x").status == 403)
        }
        for path in ["/passkey/options", "/challenge/passkey", "/account/passkey/options"] {
            let answer = await world.ask("POST", path, form: "form_token=x")
            #expect(answer.status == 400 && answer.headers["content-type"] == "application/json")
            #expect(await world.ask("GET", path).status == 405)
        }
    }

    @Test(arguments: [
        ["challenge_token": "x"], ["challenge_token": ""], ["methods": "passkey"], ["method": "constructor"],
        ["methods": "", "method": "totp"], ["request": "client_id=nobody"], ["next": "https://evil.example"],
        ["methods": String(repeating: "totp ", count: 10_000)],
    ])
    func `a challenge that was changed on its way through the browser leads nowhere (AD-16)`(change: [String: String])
        async throws
    {
        let world = try await ProviderWorld()
        let person = try await person(in: world)
        let browser = Browser(in: world)
        let page = try await browser.signIn(ProviderWorld.query())
        let code = person.authenticator.code(at: world.clock.now)
        let answer = try await browser.submit(page, ["code": code].merging(change) { $1 })
        if answer.location == nil {
            #expect(answer.status == 400 && browser.cookies["__Host-ostiary-idp"] == nil)
        } else {
            #expect(answer.location?.hasPrefix("/idp/authorize?") == true)
        }
    }

    @Test func `a step-up of one person raises no session of another`() async throws {
        let world = try await ProviderWorld()
        let ada = Browser(in: world), eve = Browser(in: world)
        _ = try await ada.registerHere()
        _ = try await eve.registerHere("eve@example.com", name: "Eve")
        world.clock.advance(by: .seconds(400))
        let page = try await ada.get("/idp/account/authenticator")
        #expect(page.action == Self.challenge && page.html.contains("Confirm that it is you"))
        // Eve's browser, with Ada's challenge and Eve's own form token.
        let own = try await eve.get("/idp/account/authenticator")
        var mixed = page.hidden
        mixed["form_token"] = own.hidden["form_token"]
        mixed["password"] = Browser.password
        let refused = try await eve.post(Self.challenge, mixed)
        #expect(refused.status == 400 && refused.html.contains("This step has expired"))
        #expect(try await eve.get("/idp/account/authenticator").action == Self.challenge)
    }

    @Test func `a client that requests aal2 gets it by a step-up of the browser's session`() async throws {
        let world = try await ProviderWorld()
        let person = try await person(in: world)
        let browser = Browser(in: world)
        let first = try await browser.submit(
            try await browser.signIn(), to: Self.challenge, ["switch": "recovery_code"])
        _ = try await browser.submit(first, ["code": person.codes[0]])
        let cookie = try #require(browser.cookies["__Host-ostiary-idp"])
        let asking = ProviderWorld.query(["acr_values": "aal2"])
        let page = try await browser.get("/idp/authorize?\(asking)")
        #expect(page.status == 200 && page.action == Self.challenge)
        #expect(page.html.contains("Confirm that it is you") && page.html.contains("House"))
        let denied = try await browser.submit(page, to: Self.challenge, ["decision": "deny"])
        #expect(parameter("error", of: denied.location) == "unmet_authentication_requirements")
        let end = try await browser.follow(
            try await browser.submit(page, ["code": person.authenticator.code(at: world.clock.now)]))
        #expect(parameter("code", of: end.location) != nil)
        // The session goes on, with a new value of its cookie.
        #expect(browser.cookies["__Host-ostiary-idp"] != cookie)
        // One session, and one device.
        #expect(try await browser.get("/idp/account").html.matches(of: /This browser/).count == 2)
    }

    @Test func `a client that requests aal2 of an account without factors gets it by adding one`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        let asking = ProviderWorld.query(["acr_values": "aal2"])
        let choice = try await browser.register(asking)
        #expect(choice.status == 200 && choice.action == "/idp/enrol")
        #expect(choice.html.contains("<bdi>House</bdi> asks for a second factor"))
        let denied = try await browser.submit(choice, ["decision": "deny"])
        #expect(parameter("error", of: denied.location) == "unmet_authentication_requirements")
        let begun = try await browser.submit(choice, ["decision": "totp"])
        let authenticator = try #require(TestAuthenticator(uri: begun.hidden["uri"] ?? ""))
        let shown = try await browser.submit(
            begun, ["code": authenticator.code(at: world.clock.now), "name": "Phone"])
        #expect(Browser.codes(on: shown).count == 10)
        let next = try #require(shown.html.firstMatch(of: /class="button" href="(\/idp\/authorize[^"]+)"/)).1
        let end = try await browser.get(String(next).replacing("&amp;", with: "&"))
        #expect(parameter("code", of: end.location) != nil && parameter("state", of: end.location) == "a state")
    }

    @Test func `a simulated social sign-in is asked for the factor too`() async throws {
        let world = try await ProviderWorld(isSecure: false) { $0.mocksConnections = true }
        let query = ProviderWorld.query(["connection": "google-oauth2"])
        let browser = Browser(in: world)
        let fields = ["email": "grace@example.com", "full_name": "Grace"]
        _ = try await browser.follow(try await browser.submit(try await browser.get("/idp/authorize?\(query)"), fields))
        let person = try await browser.addAuthenticator()
        world.clock.advance(by: .seconds(60))
        let other = Browser(in: world)
        let page = try await other.submit(try await other.get("/idp/authorize?\(query)"), fields)
        #expect(page.status == 200 && page.action == Self.challenge)
        let end = try await other.follow(
            try await other.submit(page, ["code": person.authenticator.code(at: world.clock.now)]))
        #expect(parameter("code", of: end.location) != nil)
    }

    @Test func `a reset of the password does not remove the question`() async throws {
        let world = try await ProviderWorld()
        _ = try await person(in: world)
        let browser = Browser(in: world)
        _ = try await browser.submit(try await browser.get("/idp/forgot-password"), ["email": Browser.email])
        let token = try world.notificationSealer.resetToken().reveal()
        let form = try await browser.get("/idp/reset-password?token=\(token)")
        #expect(try await browser.submit(form, ["password": "a new horse battery"]).status == 200)
        let page = try await browser.submit(
            try await browser.get("/idp/sign-in"), ["email": Browser.email, "password": "a new horse battery"])
        #expect(page.action == Self.challenge && browser.cookies["__Host-ostiary-idp"] == nil)
    }
}
