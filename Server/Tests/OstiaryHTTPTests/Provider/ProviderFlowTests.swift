import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider
import OstiaryStore
import OstiaryTesting
import Testing

@testable import OstiaryHTTP

@Suite(.timeLimit(.minutes(5))) struct ProviderFlowTests {
    @Test func `a person registers, the client gets a code, tokens, and who it is`() async throws {
        let world = try await ProviderWorld()
        let end = try await Browser(in: world).register()
        #expect(end.location?.hasPrefix("https://house.example.com/callback?code=") == true)
        #expect(parameter("state", of: end.location) == "a state")
        #expect(parameter("iss", of: end.location) == ProviderWorld.issuer)

        let (answer, tokens) = try await world.redeem(try #require(parameter("code", of: end.location)))
        #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store")
        #expect(tokens["token_type"] == "Bearer" && tokens["expires_in"] == 3600)
        #expect(tokens["scope"] == "openid profile email" && tokens["refresh_token"] == nil)
        guard case .string(let token)? = tokens["access_token"] else {
            Issue.record("no access token")
            return
        }
        for method in ["GET", "POST"] {
            let info = await world.ask(method, "/userinfo", headers: ["authorization": "Bearer \(token)"])
            #expect(info.status == 200 && info.headers["cache-control"] == "no-store")
            let person = try JSON.read(info.body)
            #expect(person["email"] == .string(Browser.email) && person["name"] == "Ada Lovelace")
        }
    }

    @Test func `a person signs in on a page that leads back to the client by 303, and is known from then on`()
        async throws
    {
        let world = try await ProviderWorld()
        _ = try await Browser(in: world).register()
        let browser = Browser(in: world)
        let page = try await browser.get("/idp/authorize?\(ProviderWorld.query(["login_hint": Browser.email]))")
        #expect(page.status == 200 && page.html.contains("value=\"\(Browser.email)\""))

        let answer = try await browser.submit(page, ["email": Browser.email, "password": Browser.password])
        #expect(answer.status == 303 && answer.location?.hasPrefix("/idp/authorize?") == true)
        let end = try await browser.follow(answer)
        #expect(end.status == 302 && parameter("code", of: end.location) != nil)

        let again = try await browser.get("/idp/authorize?\(ProviderWorld.query(["prompt": "none"]))")
        #expect(parameter("code", of: again.location) != nil)
    }

    @Test func `the exchange of a code recognizes no device of the client, and none less of the person`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        var end = try await browser.register()
        let app = world.server.provider.engine.app.name
        let found = try await world.store.account(identifiedBy: .email(EmailAddress(Browser.email)), in: app)
        let account = try #require(found)
        let before = try await world.store.devices(of: account.id, in: app, at: world.clock.now)
        #expect(before.count == 1)
        for _ in 0..<3 {
            let (answer, _) = try await world.redeem(try #require(parameter("code", of: end.location)))
            #expect(answer.status == 200 && answer.headers["x-device-token"] == nil)
            end = try await browser.get("/idp/authorize?\(ProviderWorld.query(["prompt": "none"]))")
        }
        #expect(try await world.store.devices(of: account.id, in: app, at: world.clock.now) == before)
    }

    @Test func `a fresh sign-in that the client asked for is asked for once`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        _ = try await browser.register()
        for change in [["prompt": "login"], ["max_age": "0"]] {
            let page = try await browser.get("/idp/authorize?\(ProviderWorld.query(change))")
            #expect(page.status == 200)
            let end = try await browser.follow(
                try await browser.submit(page, ["email": Browser.email, "password": Browser.password]))
            #expect(parameter("code", of: end.location) != nil)
        }
    }

    @Test func `a wrong password shows the form again, with what it was for`() async throws {
        let world = try await ProviderWorld()
        _ = try await Browser(in: world).register()
        let browser = Browser(in: world)
        var page = try await browser.get("/idp/authorize?\(ProviderWorld.query())")
        page = try await browser.submit(page, ["email": Browser.email, "password": "wrong horse battery"])
        #expect(page.status == 403 && page.html.contains(Browser.email))
        #expect(page.response.headers["www-authenticate"] == nil)
        #expect(browser.cookies["__Host-ostiary-idp"] == nil)
        let end = try await browser.follow(
            try await browser.submit(page, ["email": Browser.email, "password": Browser.password]))
        #expect(parameter("code", of: end.location) != nil)
    }

    @Test func `a stranger gets a code after consent, and a refusal after none`() async throws {
        let world = try await ProviderWorld()
        let query = ProviderWorld.query(["client_id": "stranger", "redirect_uri": "stranger://callback"])
        let browser = Browser(in: world)
        let question = try await browser.register(query)
        #expect(question.status == 200 && question.action == "/idp/consent")
        #expect(question.html.contains("&lt;b&gt;Stranger") && !question.html.contains("<b>Stranger"))
        #expect(question.html.contains("You are signed in as <bdi>\(Browser.email)</bdi>."))

        let denied = try await browser.submit(question, ["decision": "deny"])
        #expect(denied.status == 303 && parameter("error", of: denied.location) == "access_denied")
        let undecided = try await browser.submit(question)
        #expect(undecided.status == 400 && undecided.location == nil)
        let allowed = try await browser.submit(question, ["decision": "allow"])
        #expect(allowed.location?.hasPrefix("stranger://callback?code=") == true)
        let redeemed = try await world.redeem(
            try #require(parameter("code", of: allowed.location)),
            ["client_id": "stranger", "client_secret": "", "redirect_uri": "stranger://callback"])
        #expect(redeemed.answer.status == 200)
    }

    @Test func `a played service asks for a name and an address, and outside development nobody does`() async throws {
        let world = try await ProviderWorld(isSecure: false) { $0.mocksConnections = true }
        let browser = Browser(in: world)
        let query = ProviderWorld.query(["connection": "google-oauth2"])
        let page = try await browser.get("/idp/authorize?\(query)")
        #expect(page.action == "/idp/stand-in")
        let wrong = try await browser.submit(page, ["email": "nobody", "full_name": "Grace"])
        #expect(wrong.status == 400 && wrong.action == "/idp/stand-in")
        #expect(wrong.html.contains("<p class=\"complaint\" id=\"email-problem\">"))
        #expect(wrong.html.contains("value=\"nobody\"") && wrong.html.contains("value=\"Grace\""))
        let end = try await browser.follow(
            try await browser.submit(wrong, ["email": "grace@example.com", "full_name": "Grace"]))
        #expect(parameter("code", of: end.location) != nil)
        // The account recognizes the browser.
        #expect(browser.cookies["ostiary-device"] != nil)

        let closed = try await ProviderWorld()
        #expect(await closed.ask("POST", "/stand-in", form: "request=x").status == 404)
    }

    @Test func `where registration is closed there is no page for it`() async throws {
        let world = try await ProviderWorld { $0.isRegistrationOpen = false }
        #expect(await world.ask("GET", "/register").status == 404)
        #expect(try await Browser(in: world).get("/idp/sign-in").html.contains("/idp/register") == false)
    }
}
