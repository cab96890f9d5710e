import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider
import OstiaryStore
import OstiaryTesting
import Testing

@testable import OstiaryHTTP

/// A sign-in to an account that must have a second factor, and a browser that is remembered.
@Suite(.timeLimit(.minutes(5))) struct ProviderEnrolmentTests {
    private static func strict() async throws -> ProviderWorld {
        try await ProviderWorld(adjusting: { $0.secondFactor.requirement = .required })
    }

    /// Adds an authenticator app on the page of a sign-in that requires one.
    private func enrol(
        _ browser: Browser, on choice: Browser.Page
    ) async throws -> (authenticator: TestAuthenticator, shown: Browser.Page) {
        let begun = try await browser.submit(choice, ["decision": "totp"])
        let authenticator = try #require(TestAuthenticator(uri: begun.hidden["uri"] ?? ""))
        let wrong = try await browser.submit(begun, ["code": "000000", "name": "Phone"])
        #expect(wrong.status == 400 && wrong.hidden["uri"] == begun.hidden["uri"])
        let shown = try await browser.submit(wrong, ["code": authenticator.code(at: browser.now), "name": "Phone"])
        return (authenticator, shown)
    }

    @Test func `a registration adds the required factor before its session, and ends at the client`() async throws {
        let world = try await Self.strict()
        let browser = Browser(in: world)
        let choice = try await browser.register()
        #expect(choice.status == 200 && choice.action == "/idp/enrol")
        #expect(choice.html.contains("Your account needs a second factor"))
        #expect(browser.cookies["__Host-ostiary-idp"] == nil)
        let (authenticator, shown) = try await enrol(browser, on: choice)
        #expect(Browser.codes(on: shown).count == 10 && browser.cookies["__Host-ostiary-idp"] != nil)
        let next = try #require(shown.html.firstMatch(of: /class="button" href="(\/idp\/authorize[^"]+)"/)).1
        let end = try await browser.get(String(next).replacing("&amp;", with: "&"))
        let (_, tokens) = try await world.redeem(try #require(parameter("code", of: end.location)))
        #expect(tokens["id_token"] != nil)
        // From then on it is asked for.
        world.clock.advance(by: .seconds(60))
        let other = Browser(in: world)
        let challenge = try await other.signIn()
        #expect(challenge.action == "/idp/challenge")
        let code = authenticator.code(at: world.clock.now)
        #expect(try await other.submit(challenge, ["code": code]).status == 303)
    }

    @Test func `a passkey can be the required factor`() async throws {
        let world = try await Self.strict()
        let browser = Browser(in: world)
        let choice = try await browser.register()
        let page = try await browser.submit(choice, ["decision": "passkey"])
        let device = TestPasskeys(origin: "https://auth.example.com")
        let shown = try await browser.usePasskey(device, on: page, ["name": "Laptop"])
        #expect(Browser.codes(on: shown).count == 10)
        #expect(try await browser.get("/idp/account").html.contains("Laptop"))
    }

    @Test func `the token of a sign-in opens no page of the account, and is over after the factor or ten minutes`()
        async throws
    {
        let world = try await Self.strict()
        let browser = Browser(in: world)
        let choice = try await browser.register()
        let token = try #require(choice.hidden["enrolment_token"])
        browser.keep("__Host-ostiary-idp", token)
        for path in ["/idp/account", "/idp/account/password", "/idp/account/recovery-codes", "/idp/account/factors"] {
            #expect(try await browser.get(path).location == "/idp/sign-in")
        }
        browser.keep("__Host-ostiary-idp", nil)
        let late = Browser(in: world)
        let second = try await late.signIn(ProviderWorld.query())
        _ = try await enrol(browser, on: choice)
        let over = try await late.submit(second, ["decision": "totp"])
        #expect(over.status == 400 && over.html.contains("This step has expired"))
        #expect(over.html.contains("client_id=house"))

        let grace = Browser(in: world)
        let third = try await grace.registerHere("grace@example.com", name: "Grace")
        world.clock.advance(by: .seconds(601))
        let expired = try await grace.submit(third, ["decision": "totp"])
        #expect(expired.status == 400 && expired.html.contains("This step has expired"))
        #expect(grace.cookies["__Host-ostiary-idp"] == nil)
        #expect(try await grace.submit(third, ["decision": "deny"]).action == "/idp/sign-in")
    }

    @Test func `a recovery code opens the page of factors to the owner of a lost one, and no client`() async throws {
        let world = try await Self.strict()
        let first = Browser(in: world)
        let (_, shown) = try await enrol(first, on: try await first.register())
        let codes = Browser.codes(on: shown)
        world.clock.advance(by: .seconds(60))
        let browser = Browser(in: world)
        let challenge = try await browser.submit(
            try await browser.signIn(ProviderWorld.query()), to: "/idp/challenge", ["switch": "recovery_code"])
        let raised = try await browser.follow(try await browser.submit(challenge, ["code": codes[0]]))
        #expect(raised.action == "/idp/challenge" && raised.html.contains("Confirm that it is you"))
        #expect(try await browser.get("/idp/account").action == "/idp/challenge")
        let link = try #require(raised.html.firstMatch(of: /href="(\/idp\/account\/factors[^"]*)">Lost your device/)).1
        let page = try await browser.get(String(link).replacing("&amp;", with: "&"))
        #expect(page.status == 200 && page.html.contains("<bdi>Phone</bdi>") && !page.html.contains("Connected apps"))
        // The only factor cannot be removed, and another one can be added.
        let url = try #require(page.html.firstMatch(of: /href="(\/idp\/account\/factor\?id=[^"]+)"/)).1
        let only = try await browser.get(String(url))
        #expect(only.html.contains("needs this second factor") && !only.html.contains("value=\"remove\""))
        let refused = try await browser.submit(only, to: "/idp/account/factor", ["decision": "remove"])
        #expect(refused.status == 409 && refused.html.contains("needs this second factor"))
        let begun = try await browser.submit(
            try await browser.get("/idp/account/authenticator"), to: "/idp/account/authenticator")
        let second = try #require(TestAuthenticator(uri: begun.hidden["uri"] ?? ""))
        let added = try await browser.submit(
            begun, to: "/idp/account/authenticator", ["code": second.code(at: world.clock.now), "name": "Tablet"])
        #expect(added.status == 200)
        #expect(try await browser.get("/idp/account").html.contains("Connected apps"))
        let end = try await browser.get("/idp/authorize?\(ProviderWorld.query())")
        #expect(parameter("code", of: end.location) != nil)
    }

    @Test func `a confirmed registration is complete, and its sign-in adds the factor`() async throws {
        let world = try await ProviderWorld(adjusting: {
            $0.secondFactor.requirement = .required
            $0.registersSafely = true
        })
        let browser = Browser(in: world)
        #expect(try await browser.register().html.contains("Check your email"))
        let token = try world.notificationSealer.registrationToken().reveal()
        let form = try await browser.get("/idp/confirm-registration?token=\(token)")
        let done = try await browser.submit(form, ["password": Browser.password])
        #expect(done.status == 200 && done.html.contains("Your account is ready"))
        #expect(try await browser.signIn().action == "/idp/enrol")
    }

    @Test func `a person with a role that requires a factor is not offered to be remembered`() async throws {
        let world = try await ProviderWorld(adjusting: {
            $0.secondFactor.requiredRoles = ["admin"]
            $0.secondFactor.rememberDeviceDays = 30
        })
        let browser = Browser(in: world)
        _ = try await browser.registerHere()
        _ = try await browser.addAuthenticator()
        let offer = "Do not ask again in this browser"
        #expect(try await Browser(in: world).signIn().html.contains(offer))
        let account = try #require(
            try await world.store.accounts(in: ProviderDirectory.appSettings().name, after: nil, limit: 1).page.first)
        _ = try await world.store.change(
            account.id, in: account.app, AccountChange(addedRoles: RoleAssignment.read(["admin"])), at: world.clock.now)
        let page = try await Browser(in: world).signIn()
        #expect(page.action == "/idp/challenge" && !page.html.contains(offer))
    }

    @Test func `a browser that is remembered is not asked again, and meets no level`() async throws {
        let world = try await ProviderWorld(adjusting: { $0.secondFactor.rememberDeviceDays = 30 })
        let first = Browser(in: world)
        _ = try await first.registerHere()
        let person = try await first.addAuthenticator()
        world.clock.advance(by: .seconds(60))
        let browser = Browser(in: world)
        let page = try await browser.signIn()
        #expect(page.html.contains("Do not ask again in this browser for 30 days"))
        let wrong = try await browser.submit(page, ["code": "000000", "remember_device": "on"])
        #expect(wrong.html.contains("autocomplete=\"off\" checked"))
        let code = person.authenticator.code(at: world.clock.now)
        _ = try await browser.submit(wrong, ["code": code, "remember_device": "on"])
        let line = try #require(browser.cookieLines.first { $0.hasPrefix("__Host-ostiary-device=") })
        for attribute in ["; Path=/;", "; HttpOnly", "; SameSite=Lax", "; Secure", "; Max-Age=15552000"] {
            #expect(line.contains(attribute))
        }
        let secret = try #require(browser.cookies["__Host-ostiary-device"])
        _ = try await browser.submit(try await browser.get("/idp/account"), to: "/idp/end-session")
        let again = try await browser.follow(try await browser.signIn(ProviderWorld.query()))
        #expect(parameter("code", of: again.location) != nil)
        // The secret is another one after each use, and the earlier one is worth nothing.
        #expect(browser.cookies["__Host-ostiary-device"] != secret)
        let thief = Browser(in: world)
        thief.keep("__Host-ostiary-device", secret)
        #expect(try await thief.signIn().action == "/idp/challenge")
        let stepUp = try await browser.get("/idp/authorize?\(ProviderWorld.query(["acr_values": "aal2"]))")
        #expect(stepUp.action == "/idp/challenge" && !stepUp.html.contains("remember_device"))
    }

    @Test func `a person who does not ask for it is not remembered, nor with a recovery code`() async throws {
        let world = try await ProviderWorld(adjusting: { $0.secondFactor.rememberDeviceDays = 1 })
        let first = Browser(in: world)
        _ = try await first.registerHere()
        let person = try await first.addAuthenticator()
        world.clock.advance(by: .seconds(60))
        let browser = Browser(in: world)
        let page = try await browser.signIn()
        let recovery = try await browser.submit(page, to: "/idp/challenge", ["switch": "recovery_code"])
        #expect(!recovery.html.contains("remember_device"))
        _ = try await browser.submit(recovery, ["code": person.codes[0], "remember_device": "on"])
        #expect(browser.cookies["__Host-ostiary-idp"] != nil)
        let other = Browser(in: world)
        let code = person.authenticator.code(at: world.clock.now)
        _ = try await other.submit(try await other.signIn(), ["code": code])
        // Both are recognized from now on, and asked at the next sign-in.
        for browser in [browser, other] {
            #expect(browser.cookies["__Host-ostiary-device"] != nil)
            _ = try await browser.submit(try await browser.get("/idp/account"), to: "/idp/end-session")
            #expect(try await browser.signIn().action == "/idp/challenge")
        }
    }
}
