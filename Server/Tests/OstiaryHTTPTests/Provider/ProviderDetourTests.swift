import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider
import OstiaryTesting
import Testing

@testable import OstiaryHTTP

/// A person who resets the password, or signs in with another account than the current one, still returns to the
/// client.
@Suite(.timeLimit(.minutes(5))) struct ProviderDetourTests {
    @Test func `who is asked for consent can be somebody else, on the way to the same client`() async throws {
        let world = try await ProviderWorld()
        let grace = Browser(in: world)
        _ = try await grace.submit(
            try await grace.get("/idp/register"), ["email": "grace@example.com", "password": Browser.password])
        let browser = Browser(in: world)
        let query = ProviderWorld.query([
            "client_id": "stranger", "redirect_uri": "stranger://callback", "prompt": "consent",
            "login_hint": Browser.email,
        ])
        let question = try await browser.register(query)
        let other = try #require(question.html.firstMatch(of: /<a href="([^"]+)">Use another account/)).1
        let page = try await browser.get(String(other).replacing("&amp;", with: "&"))
        #expect(page.action == "/idp/sign-in" && !page.html.contains(Browser.email))
        let again = try await browser.follow(
            try await browser.submit(page, ["email": "grace@example.com", "password": Browser.password]))
        #expect(again.action == "/idp/consent" && again.html.contains("<bdi>grace@example.com</bdi>"))
        let end = try await browser.submit(again, ["decision": "allow"])
        #expect(end.location?.hasPrefix("stranger://callback?code=") == true)
        #expect(parameter("state", of: end.location) == "a state")
    }

    @Test func `who asks for a new password comes back to the sign-in that waits`() async throws {
        let world = try await ProviderWorld()
        _ = try await Browser(in: world).register()
        let browser = Browser(in: world)
        let signIn = try await browser.get("/idp/authorize?\(ProviderWorld.query())")
        let forgot = try #require(signIn.html.firstMatch(of: /href="(\/idp\/forgot-password[^"]*)"/)).1
        let form = try await browser.get(String(forgot).replacing("&amp;", with: "&"))
        let refused = try await browser.submit(form, ["email": "no address"])
        #expect(refused.status == 400 && refused.html.contains("value=\"no address\""))
        let sent = try await browser.submit(refused, ["email": Browser.email])
        for page in [form, refused, sent] {
            let back = try #require(page.html.firstMatch(of: /<a href="(\/idp\/sign-in[^"]*)">Back to sign in/)).1
            let end = try await browser.follow(
                try await browser.submit(
                    try await browser.get(String(back).replacing("&amp;", with: "&")),
                    ["email": Browser.email, "password": Browser.password]))
            #expect(parameter("state", of: end.location) == "a state")
        }
    }

    @Test func `a forgotten password is replaced by way of the mailed link, which opening does not spend`() async throws
    {
        let world = try await ProviderWorld()
        _ = try await Browser(in: world).register()
        let browser = Browser(in: world)
        let known = try await browser.submit(
            try await browser.get("/idp/forgot-password"), ["email": Browser.email])
        let unknown = try await browser.submit(
            try await browser.get("/idp/forgot-password"), ["email": "nobody@example.com"])
        #expect(known.status == 200 && known.html == unknown.html)

        let token = try world.notificationSealer.resetToken().reveal()
        let link = "/idp/reset-password?token=\(token)"
        _ = try await Browser(in: world).get(link)
        let form = try await browser.get(link)
        let short = try await browser.submit(form, ["password": "short"])
        #expect(short.status == 400)
        #expect(try await browser.submit(form, ["password": "a new horse battery"]).status == 200)
        for over in [
            try await browser.submit(form, ["password": "a third horse battery"]), try await browser.get(link),
        ] {
            #expect(over.status == 400 && over.action == nil && over.html.contains("href=\"/idp/forgot-password\""))
        }

        let page = try await browser.get("/idp/sign-in")
        let old = try await browser.submit(page, ["email": Browser.email, "password": Browser.password])
        #expect(old.status == 403)
        let new = try await browser.submit(page, ["email": Browser.email, "password": "a new horse battery"])
        #expect(new.status == 303 && new.location == "/idp/account")
        #expect(try await browser.follow(new).html.contains(Browser.email))
    }

    @Test func `a link that is too old, or was replaced, says so before a password is thought up`() async throws {
        let world = try await ProviderWorld()
        _ = try await Browser(in: world).register()
        let browser = Browser(in: world)
        var links: [String] = []
        for _ in 0..<2 {
            _ = try await browser.submit(try await browser.get("/idp/forgot-password"), ["email": Browser.email])
            links.append("/idp/reset-password?token=\(try world.notificationSealer.resetToken().reveal())")
            world.clock.advance(by: .seconds(1800))
        }
        #expect(try await browser.get(links[0]).html.contains("This link is no longer good"))
        #expect(try await browser.get(links[1]).action == "/idp/reset-password")
        world.clock.advance(by: .seconds(1801))
        let over = try await browser.get(links[1])
        #expect(over.status == 400 && over.action == nil && over.html.contains("This link is no longer good"))
    }
}
