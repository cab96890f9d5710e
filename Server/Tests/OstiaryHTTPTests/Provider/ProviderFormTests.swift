import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider
import Testing

@testable import OstiaryHTTP

/// The resistance of pages and cookies to attacks.
@Suite(.timeLimit(.minutes(5))) struct ProviderFormTests {
    private static let credentials = ["email": Browser.email, "password": Browser.password]

    @Test func `a form without its token, with another browser's or from another site does nothing (AD-11)`()
        async throws
    {
        let world = try await ProviderWorld()
        _ = try await Browser(in: world).register()
        let browser = Browser(in: world)
        let page = try await browser.get("/idp/sign-in")
        let other = try await Browser(in: world).get("/idp/sign-in")
        for token in ["", "made up", other.hidden["form_token"] ?? ""] {
            let answer = try await browser.submit(page, Self.credentials.merging(["form_token": token]) { $1 })
            #expect(answer.status == 403 && answer.location == nil)
        }
        browser.fetchSite = "cross-site"
        #expect(try await browser.submit(page, Self.credentials).status == 403)
        browser.fetchSite = "same-origin"
        #expect(browser.cookies["__Host-ostiary-idp"] == nil)
        #expect(try await browser.submit(page, Self.credentials).status == 303)
    }

    @Test(arguments: ["/consent", "/sign-in", "/register", "/forgot-password", "/reset-password"])
    func `no form of a page is taken without its token (AD-11)`(path: String) async throws {
        let world = try await ProviderWorld()
        let form = ProviderWorld.form([
            "request": ProviderWorld.query(), "decision": "allow", "email": Browser.email,
            "password": Browser.password, "token": "x",
        ])
        #expect(await world.ask("POST", path, form: form).status == 403)
        #expect(world.notificationSealer.notices.isEmpty)
    }

    @Test(arguments: ["/sign-in", "/register", "/forgot-password", "/reset-password", "/end-session", "/authorize"])
    func `a form that comes without the browser's cookie leaves the browser what it has`(path: String) async throws {
        let world = try await ProviderWorld()
        for form in ["form_token=x&email=a%40example.com", "form_token=x&form_token=x", "%zz"] {
            let answer = await world.ask("POST", path, headers: ["sec-fetch-site": "cross-site"], form: form)
            #expect(answer.cookies.isEmpty, "\(answer.status)")
        }
        #expect(await world.ask("GET", "/sign-in").cookies.isEmpty == false)
    }

    @Test func `what is no form, or names a field twice, is refused`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        let page = try await browser.get("/idp/sign-in")
        let token = try #require(page.hidden["form_token"])
        let cookie = browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        let twice = "form_token=\(token)&email=a%40example.com&email=b%40example.com&password=x"
        #expect(await world.ask("POST", "/sign-in", headers: ["cookie": cookie], form: twice).status == 400)
        let json = await world.ask(
            "POST", "/sign-in", headers: ["cookie": cookie, "content-type": "text/plain"])
        #expect(json.status == 400)
    }

    @Test func `the session's cookie is out of reach of scripts, other hosts and other sites`() async throws {
        let secure = Browser(in: try await ProviderWorld())
        _ = try await secure.register()
        let line = try #require(secure.cookieLines.first { $0.hasPrefix("__Host-ostiary-idp=") })
        for attribute in ["; Path=/;", "; HttpOnly", "; SameSite=Lax", "; Secure", "; Max-Age=28800"] {
            #expect(line.contains(attribute))
        }
        #expect(!line.contains("Domain"))
        let plain = Browser(in: try await ProviderWorld(isSecure: false))
        _ = try await plain.register()
        let development = try #require(plain.cookieLines.first { $0.hasPrefix("ostiary-idp=") })
        #expect(!development.contains("Secure") && development.contains("; HttpOnly"))
    }

    @Test func `PT-22: nothing in the session's cookie can be read`() async throws {
        let browser = Browser(in: try await ProviderWorld())
        _ = try await browser.register()
        let cookie = try #require(browser.cookies["__Host-ostiary-idp"])
        let bytes = try #require(Base64URL.decode(cookie.utf8), "one word in base64url, not a JWT of three")
        #expect(bytes.count > 32)
        // JSON would be text throughout.
        #expect(String(validating: bytes, as: UTF8.self) == nil)
    }

    @Test func `a sign-in is a new session, and the one before is over`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        _ = try await browser.register()
        let planted = try #require(browser.cookies["__Host-ostiary-idp"])
        let page = try await browser.get("/idp/sign-in")
        _ = try await browser.submit(page, Self.credentials)
        #expect(browser.cookies["__Host-ostiary-idp"] != planted)
        let attacker = Browser(in: world)
        attacker.keep("__Host-ostiary-idp", planted)
        let silent = try await attacker.get("/idp/authorize?\(ProviderWorld.query(["prompt": "none"]))")
        #expect(parameter("error", of: silent.location) == "login_required")
    }

    @Test func `two session cookies are none`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        _ = try await browser.register()
        let value = try #require(browser.cookies["__Host-ostiary-idp"])
        let cookie = "__Host-ostiary-idp=\(value); __Host-ostiary-idp=\(value)"
        let answer = await world.ask(
            "GET", "/authorize", query: ProviderWorld.query(["prompt": "none"]), headers: ["cookie": cookie])
        #expect(parameter("error", of: answer.headers["location"]) == "login_required")
    }

    @Test(arguments: [
        ["redirect_uri": "https://evil.example/callback"], ["client_id": "nobody"], ["scope": "email"],
        ["code_challenge_method": "plain"],
    ])
    func `a request that was changed on its way through a page leads nowhere (AD-16)`(change: [String: String])
        async throws
    {
        let world = try await ProviderWorld()
        _ = try await Browser(in: world).register()
        let browser = Browser(in: world)
        let page = try await browser.get("/idp/authorize?\(ProviderWorld.query())")
        let answer = try await browser.submit(
            page, Self.credentials.merging(["request": ProviderWorld.query(change)]) { $1 })
        #expect(answer.status == 400 && answer.location == nil)
        #expect(browser.cookies["__Host-ostiary-idp"] == nil)
    }

    @Test func `a page with a form allows it to lead to the client and to where the client leads`() async throws {
        let world = try await ProviderWorld()
        let page = try await Browser(in: world).get("/idp/authorize?\(ProviderWorld.query())")
        let policy = try #require(page.response.headers["content-security-policy"])
        #expect(policy.contains("form-action 'self' https://house.example.com house:"))
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        let plain = try await Browser(in: world).get("/idp/sign-in")
        #expect(plain.response.headers["content-security-policy"]?.contains("house") == false)
    }

    @Test func `what a client writes into a request is text on the page (AD-14)`() async throws {
        let world = try await ProviderWorld()
        let change = ["login_hint": "\"><script>alert(1)</script>", "state": "'\"><img src=x>"]
        let page = try await Browser(in: world).get("/idp/authorize?\(ProviderWorld.query(change))")
        #expect(!page.html.contains("<script>alert") && !page.html.contains("<img src=x>"))
        #expect(page.hidden["request"].map { parameter("state", of: "x:?\($0)") } == "'\"><img src=x>")
    }
}
