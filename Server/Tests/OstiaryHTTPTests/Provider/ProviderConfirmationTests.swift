import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider
import OstiaryTesting
import Testing

@testable import OstiaryHTTP

/// A person who is signed in confirms the sign-in to an app that only a URI scheme identifies (OA-35).
@Suite(.timeLimit(.minutes(5))) struct ProviderConfirmationTests {
    private static let callback = "app://callback"
    private static let query = ProviderWorld.query(["client_id": "app", "redirect_uri": callback])

    private static func world(adjusting adjust: (inout AppSettings) -> Void = { _ in }) async throws -> ProviderWorld {
        try await ProviderWorld(
            {
                $0.clients.append(
                    ProviderClient(
                        id: "app", name: "<b>App</b>", redirectURIs: RedirectURIs([callback]), isFirstParty: true))
            }, adjusting: adjust)
    }

    private func redeemed(_ page: Browser.Page, in world: ProviderWorld) async throws -> Int {
        let code = try #require(parameter("code", of: page.location))
        return try await world.redeem(
            code, ["client_id": "app", "client_secret": "", "redirect_uri": Self.callback]
        ).answer.status
    }

    @Test func `a sign-in as a step of the request is enough, a session of before is confirmed`() async throws {
        let world = try await Self.world()
        let browser = Browser(in: world)
        let registered = try await browser.register(Self.query)
        #expect(try await redeemed(registered, in: world) == 200)

        let page = try await browser.get("/idp/authorize?\(Self.query)")
        #expect(page.status == 200 && page.location == nil && page.action == "/idp/consent")
        #expect(page.html.contains("<bdi>&lt;b&gt;App&lt;") && !page.html.contains("<b>App"))
        #expect(page.html.contains("You are signed in as <bdi>\(Browser.email)</bdi>."))
        let confirmed = try await browser.submit(page, ["decision": "allow"])
        #expect(confirmed.status == 303 && confirmed.location?.hasPrefix("app://callback?code=") == true)
        #expect(try await redeemed(confirmed, in: world) == 200)

        let cancelled = try await browser.submit(
            try await browser.get("/idp/authorize?\(Self.query)"), ["decision": "deny"])
        #expect(cancelled.location?.hasPrefix("app://callback?") == true)
        #expect(parameter("error", of: cancelled.location) == "access_denied")
        #expect(parameter("code", of: cancelled.location) == nil)

        let silent = try await browser.get("/idp/authorize?\(Self.query)&prompt=none")
        #expect(parameter("error", of: silent.location) == "interaction_required")
        #expect(parameter("state", of: silent.location) == "a state")
        #expect(parameter("code", of: silent.location) == nil)

        let other = Browser(in: world)
        let signedIn = try await other.follow(try await other.signIn(Self.query))
        #expect(try await redeemed(signedIn, in: world) == 200)
    }

    @Test func `another account signs in on the way to the same app`() async throws {
        let world = try await Self.world()
        _ = try await Browser(in: world).registerHere("grace@example.com", name: "Grace")
        let browser = Browser(in: world)
        _ = try await browser.registerHere()
        let page = try await browser.get("/idp/authorize?\(Self.query)")
        let other = try #require(page.html.firstMatch(of: /<a href="([^"]+)">Use another account/)).1
        let signIn = try await browser.get(String(other).replacing("&amp;", with: "&"))
        #expect(signIn.action == "/idp/sign-in")
        let end = try await browser.follow(
            try await browser.submit(signIn, ["email": "grace@example.com", "password": Browser.password]))
        #expect(try await redeemed(end, in: world) == 200)
        // The page that was left open asks again, for the account that is signed in now.
        let again = try await browser.submit(page, ["decision": "allow"])
        #expect(again.location == nil && again.action == "/idp/consent")
        #expect(again.html.contains("<bdi>grace@example.com</bdi>"))
    }

    @Test func `the page is in no frame, and its form is that of this browser, session and request`() async throws {
        let world = try await Self.world()
        let browser = Browser(in: world)
        _ = try await browser.registerHere()
        let page = try await browser.get("/idp/authorize?\(Self.query)")
        let policy = try #require(page.response.headers["content-security-policy"])
        #expect(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'self' app:;"))
        #expect(page.response.headers["x-frame-options"] == "DENY")

        // Another site, another browser, and a browser that is signed in as another person.
        browser.fetchSite = "cross-site"
        #expect(try await browser.submit(page, ["decision": "allow"]).status == 403)
        browser.fetchSite = "same-origin"
        let other = Browser(in: world)
        _ = try await other.registerHere("grace@example.com", name: "Grace")
        #expect(try await other.submit(page, ["decision": "allow"]).status == 403)
        var bare = page.hidden.merging(["decision": "allow"]) { $1 }
        bare[FormGuard.field] = nil
        #expect(try await browser.post("/idp/consent", bare).status == 403)

        // Another request in the form of this one.
        let request = ProviderWorld.query(["client_id": "app", "redirect_uri": Self.callback, "state": "another state"])
        for changes in [["request": request], ["consent": ""], ["consent": "made up"]] {
            let again = try await browser.submit(page, changes.merging(["decision": "allow"]) { $1 })
            #expect(again.status == 200 && again.location == nil && again.action == "/idp/consent")
        }
        let confirmed = try await browser.submit(page, ["decision": "allow"])
        #expect(try await redeemed(confirmed, in: world) == 200)
    }

    @Test func `the proof of a sign-in is of no use to another request`() async throws {
        let world = try await Self.world()
        let browser = Browser(in: world)
        _ = try await browser.registerHere()
        let continued = try await browser.submit(
            try await browser.get("/idp/authorize?\(Self.query)&prompt=login"),
            ["email": Browser.email, "password": Browser.password])
        let url = try #require(continued.location)
        let proof = try #require(parameter("interaction", of: url))
        let other = ProviderWorld.query([
            "client_id": "app", "redirect_uri": Self.callback, "state": "another state", "interaction": proof,
        ])
        let page = try await browser.get("/idp/authorize?\(other)")
        #expect(page.location == nil && page.action == "/idp/consent")
        #expect(page.hidden["request"]?.contains("interaction") == false)
        #expect(try await redeemed(try await browser.get(url), in: world) == 200)
    }

    @Test func `the addition of the factor that a sign-in requires is a step of the request too`() async throws {
        let world = try await Self.world { $0.secondFactor.requirement = .required }
        let browser = Browser(in: world)
        let choice = try await browser.register(Self.query)
        let begun = try await browser.submit(choice, ["decision": "totp"])
        let authenticator = try #require(TestAuthenticator(uri: begun.hidden["uri"] ?? ""))
        let shown = try await browser.submit(
            begun, ["code": authenticator.code(at: browser.now), "name": "Phone"])
        let next = try #require(shown.html.firstMatch(of: /class="button" href="(\/idp\/authorize[^"]+)"/)).1
        let end = try await browser.get(String(next).replacing("&amp;", with: "&"))
        #expect(try await redeemed(end, in: world) == 200)
        #expect(try await browser.get("/idp/authorize?\(Self.query)").action == "/idp/consent")

        world.clock.advance(by: .seconds(60))
        let other = Browser(in: world)
        let challenge = try await other.signIn(Self.query)
        let answered = try await other.submit(challenge, ["code": authenticator.code(at: world.clock.now)])
        #expect(try await redeemed(try await other.follow(answered), in: world) == 200)
    }
}
