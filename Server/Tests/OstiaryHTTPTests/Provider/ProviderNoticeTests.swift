import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@testable import OstiaryHTTP
@testable import OstiaryProvider

/// The risk of a sign-in at the built-in provider, and the pages that its notices lead to.
@Suite(.timeLimit(.minutes(5))) struct ProviderNoticeTests {
    private static let credentials = ["email": Browser.email, "password": Browser.password]

    /// A provider with an account that signed in in another network than the browsers of these tests.
    private func world(
        _ policy: RiskPolicy = RiskPolicy(), _ requirement: SecondFactorPolicy.Requirement = .optional
    ) async throws -> (ProviderWorld, SignedIn) {
        let world = try await ProviderWorld(adjusting: { app in
            app.risk = policy
            app.secondFactor.requirement = requirement
        })
        let home = world.server.provider.engine.serving(Caller(network: "203.0.113.1"))
        _ = try await home.perform(
            Register(email: EmailAddress(Browser.email), password: Secret(Browser.password)))
        let reset = RequestPasswordReset(email: try EmailAddress(Browser.email))
        _ = try await home.perform(reset)
        _ = try await home.perform(
            ResetPassword(proof: .token(world.notificationSealer.resetToken()), password: Secret(Browser.password)))
        world.clock.advance(by: .seconds(2 * 86_400))
        let signedIn = try await home.perform(
            SignIn(identifier: .email(EmailAddress(Browser.email)), password: Secret(Browser.password)))
        return (world, signedIn)
    }

    private func signIn(_ browser: Browser) async throws -> Browser.Page {
        try await browser.submit(try await browser.get("/idp/sign-in"), Self.credentials)
    }

    private func isSignedIn(_ signedIn: SignedIn, in world: ProviderWorld) async -> Bool {
        (try? await world.server.provider.engine.bearer(of: signedIn.tokens.accessToken)) != nil
    }

    @Test func `a sign-in on an unknown device tells its owner, whose button ends it`() async throws {
        let (world, owner) = try await world()
        let thief = Browser(in: world)
        #expect(try await signIn(thief).status == 303)
        let token = try world.notificationSealer.signInNotice().denialToken.reveal()
        let browser = Browser(in: world)
        let page = try await browser.get("/idp/deny-sign-in?token=\(token)")
        #expect(page.status == 200 && page.action == "/idp/deny-sign-in")
        #expect(await isSignedIn(owner, in: world))
        let denied = try await browser.submit(page)
        #expect(denied.status == 200 && denied.html.contains("Your account is signed out on all devices"))
        #expect(await !isSignedIn(owner, in: world))
        #expect(try await thief.get("/idp/account").status == 302)
        #expect(try await signIn(Browser(in: world)).status == 403)
        #expect(try await browser.submit(page).status == 404)
        #expect(try await browser.get("/idp/deny-sign-in?token=\(token)").status == 404)
        let reset = try world.notificationSealer.resetToken().reveal()
        #expect(try await browser.get("/idp/reset-password?token=\(reset)").status == 200)
    }

    @Test func `a form that is not of the page denies nothing`() async throws {
        let (world, owner) = try await world()
        _ = try await signIn(Browser(in: world))
        let token = try world.notificationSealer.signInNotice().denialToken.reveal()
        let browser = Browser(in: world)
        for fields in [[:], ["token": token], ["token": token, "form_token": "x"]] {
            #expect(try await browser.post("/idp/deny-sign-in", fields).status == 403)
        }
        let page = try await browser.get("/idp/deny-sign-in?token=\(token)")
        browser.fetchSite = "cross-site"
        #expect(try await browser.submit(page).status == 403)
        #expect(await isSignedIn(owner, in: world))
    }

    @Test(arguments: NoticeLink.allCases)
    func `a link without a valid token says so`(link: NoticeLink) async throws {
        let browser = Browser(in: try await ProviderWorld())
        for query in ["", "?token=", "?token=x", "?x=1"] {
            let page = try await browser.get("/idp\(link.rawValue)\(query)")
            #expect(page.status == 404 && page.forms.isEmpty && page.html.contains("Nothing was changed now."))
        }
        #expect(try await browser.get("/idp\(link.rawValue)?token=x&token=y").status == 400)
    }

    @Test func `a sign-in is refused as with a wrong password`() async throws {
        let (world, _) = try await world(RiskPolicy(notify: .never, refuse: .medium))
        let browser = Browser(in: world)
        let right = try await signIn(browser)
        let wrong = try await browser.submit(
            try await browser.get("/idp/sign-in"), ["email": Browser.email, "password": "another password"])
        #expect(right.status == 403 && right.html == wrong.html)
    }

    @Test(arguments: [SecondFactorPolicy.Requirement.optional, .off])
    func `a sign-in asks for a code by email`(requirement: SecondFactorPolicy.Requirement) async throws {
        let (world, _) = try await world(RiskPolicy(challenge: .medium), requirement)
        let browser = Browser(in: world)
        let challenged = try await signIn(browser)
        #expect(challenged.status == 200 && challenged.action == "/idp/challenge")
        let sent = try await browser.submit(challenged, ["decision": "send"])
        let code = try world.notificationSealer.code()
        #expect(try await browser.submit(sent, ["code": code.reveal()]).status == 303)
    }

    @Test func `the token request of a client is no place of the person`() async throws {
        let (world, _) = try await world(RiskPolicy(refuse: .high))
        let provider = world.server.provider
        #expect(provider.engine.app.risk == RiskPolicy(refuse: .high))
        #expect(provider.grants.app.risk == .off && provider.console.app.risk == .off)
    }
}
