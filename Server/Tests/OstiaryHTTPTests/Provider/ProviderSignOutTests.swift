import OstiaryContracts
import Testing

@testable import OstiaryHTTP

@Suite(.timeLimit(.minutes(5))) struct ProviderSignOutTests {
    private static let query = ProviderWorld.form([
        "client_id": "house", "post_logout_redirect_uri": "https://house.example.com/bye", "state": "s 1",
    ])

    @Test func `a link signs nobody out, the button does, and the client gets the browser back (AD-21)`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        _ = try await browser.register()
        let cookie = try #require(browser.cookies["__Host-ostiary-idp"])
        let page = try await browser.get("/idp/end-session?\(Self.query)")
        #expect(page.status == 200)
        #expect(page.response.headers["content-security-policy"]?.contains("https://house.example.com") == true)
        #expect(try await isSignedIn(browser))

        let answer = try await browser.submit(page)
        #expect(answer.status == 303 && answer.location == "https://house.example.com/bye?state=s%201")
        #expect(answer.response.headers["clear-site-data"] == "\"cache\"")
        #expect(browser.cookies["__Host-ostiary-idp"] == nil)
        // The session has ended and the cookie is not only deleted: a copy of the cookie is invalid.
        browser.keep("__Host-ostiary-idp", cookie)
        #expect(try await isSignedIn(browser) == false)
    }

    @Test func `a person signs out at the provider itself and is told so`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        _ = try await browser.register()
        let answer = try await browser.submit(
            try await browser.get("/idp/account"), to: "/idp/end-session")
        #expect(answer.status == 200 && answer.response.headers["clear-site-data"] == "\"cache\"")
        #expect(try await isSignedIn(browser) == false)
        #expect(try await browser.get("/idp/account").location == "/idp/sign-in")
        #expect(try await browser.get("/idp/").location == "/idp/account")
    }

    @Test func `a form from elsewhere signs nobody out`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        _ = try await browser.register()
        let forged = try await browser.post("/idp/end-session", ["request": "", "form_token": "made up"])
        #expect(forged.status == 403)
        let asked = try await browser.post("/idp/end-session", ["client_id": "house"])
        #expect(asked.status == 303 && asked.location == "/idp/end-session?client_id=house")
        #expect(try await isSignedIn(browser))
    }

    @Test(arguments: [
        "client_id=house&post_logout_redirect_uri=https%3A%2F%2Fevil.example", "client_id=nobody",
        "post_logout_redirect_uri=https%3A%2F%2Fhouse.example.com%2Fbye", "id_token_hint=x", "state=a&state=b",
    ])
    func `nobody is sent where nobody registered to be (AD-16)`(query: String) async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        _ = try await browser.register()
        let page = try await browser.get("/idp/end-session?\(query)")
        #expect(page.status == 400 && page.location == nil)
        let button = try await browser.get("/idp/end-session")
        let changed = try await browser.submit(button, ["request": query])
        #expect(changed.status == 400 && changed.location == nil)
        #expect(try await isSignedIn(browser))
    }

    private func isSignedIn(_ browser: Browser) async throws -> Bool {
        let silent = try await browser.get("/idp/authorize?\(ProviderWorld.query(["prompt": "none"]))")
        return parameter("code", of: silent.location) != nil
    }
}
