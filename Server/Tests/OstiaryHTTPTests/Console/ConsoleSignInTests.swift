import OstiaryContracts
import OstiaryStore
import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@testable import OstiaryHTTP

/// The sign-in to the console, and the end of its sessions.
struct ConsoleSignInTests {
    @Test func `an administrator with two factors reaches the page that was opened`() async throws {
        let world = try await ConsoleWorld()
        let browser = world.browser()
        _ = try await world.person(in: browser)
        let page = try await browser.openConsole("/admin/people?app=idp")
        #expect(page.status == 200)
        #expect(page.html.contains("<h1><bdi>People</bdi></h1>"))
        #expect(page.html.contains("Ada Lovelace"))
    }

    @Test func `the console's session recognizes no further device`() async throws {
        let world = try await ConsoleWorld()
        let browser = world.browser()
        _ = try await world.person(in: browser)
        let account = try await world.account()
        let before = try await world.store.devices(of: account.id, in: world.app, at: world.clock.now)
        #expect(before.count == 1)
        _ = try await browser.openConsole()
        #expect(browser.cookies[Browser.consoleCookie] != nil)
        #expect(try await world.store.devices(of: account.id, in: world.app, at: world.clock.now) == before)
    }

    @Test func `the session's cookie is strict, and the state's is lax`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let own = browser.cookieLines.filter { $0.hasPrefix(Browser.consoleCookie) }
        let session = try #require(own.first { $0.hasPrefix("\(Browser.consoleCookie)=") })
        #expect(session.hasSuffix("; Path=/; Max-Age=1800; HttpOnly; SameSite=Strict; Secure"))
        let state = try #require(own.first { $0.hasPrefix("\(Browser.consoleCookie)-sign-in=") })
        #expect(state.hasSuffix("; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure"))
    }

    @Test func `the return of a sign-in is a page, which sends the cookie on`() async throws {
        let world = try await ConsoleWorld()
        let browser = world.browser()
        _ = try await world.person(in: browser)
        let atProvider = try await browser.get(Browser.target(try await browser.get("/admin/audit").location ?? ""))
        let returned = try await browser.get(Browser.target(try #require(atProvider.location)))
        #expect(returned.status == 200)
        #expect(returned.html.contains(#"content="0;url=/admin/audit""#))
        #expect(browser.cookies[Browser.consoleCookie] != nil)
        #expect(browser.cookies["\(Browser.consoleCookie)-sign-in"] == nil)
    }

    @Test func `a person without a second factor adds one before the console opens`() async throws {
        let world = try await ConsoleWorld()
        let browser = world.browser()
        _ = try await browser.registerHere()
        let account = try await world.account()
        let change = AccountChange(addedRoles: [try RoleAssignment(role: User.adminRole)])
        _ = try await world.store.change(account.id, in: world.app, change, at: world.clock.now)
        let page = try await browser.openConsole()
        #expect(page.html.contains("second factor"))
        #expect(browser.cookies[Browser.consoleCookie] == nil)
    }

    @Test func `a person without the role gets no session`() async throws {
        let world = try await ConsoleWorld()
        let browser = world.browser()
        _ = try await world.person(roles: ["editor", "admin@project:1"], in: browser)
        let page = try await browser.openConsole()
        #expect(page.status == 403)
        #expect(browser.cookies[Browser.consoleCookie] == nil)
    }

    @Test(arguments: ["state=another", "", "state=a&state=b"])
    func `a return that this browser did not ask for signs nobody in`(_ query: String) async throws {
        let world = try await ConsoleWorld()
        let browser = world.browser()
        _ = try await world.person(in: browser)
        let atProvider = try await browser.get(Browser.target(try await browser.get("/admin").location ?? ""))
        let code = parameter("code", of: atProvider.location) ?? ""
        let page = try await browser.get("/admin/callback?code=\(code)&iss=https://auth.example.com/idp&\(query)")
        #expect(page.status == 400)
        #expect(browser.cookies[Browser.consoleCookie] == nil)
    }

    @Test func `a return in another browser signs nobody in`() async throws {
        let world = try await ConsoleWorld()
        let browser = world.browser()
        _ = try await world.person(in: browser)
        let atProvider = try await browser.get(Browser.target(try await browser.get("/admin").location ?? ""))
        let other = world.browser()
        let page = try await other.get(Browser.target(try #require(atProvider.location)))
        #expect(page.status == 400)
        #expect(other.cookies[Browser.consoleCookie] == nil)
    }

    @Test func `the provider's own cookie opens no page of the console`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let other = world.browser()
        other.keep(Browser.consoleCookie, browser.cookies["__Host-ostiary-idp"])
        #expect(try await other.get("/admin").status == 302)
    }

    @Test func `the console's cookie signs nobody in at the provider`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let other = world.browser()
        other.keep("__Host-ostiary-idp", browser.cookies[Browser.consoleCookie])
        #expect(try await other.get("/idp/account").location?.hasPrefix("/idp/sign-in") == true)
    }

    @Test func `a page that another site links to is asked for again from here`() async throws {
        let world = try await ConsoleWorld()
        let browser = world.browser()
        browser.fetchSite = "cross-site"
        let page = try await browser.get("/admin/people?q=ada&app=idp")
        #expect(page.status == 200)
        #expect(page.html.contains(#"content="0;url=/admin/people?q=ada&amp;app=idp""#))
    }

    // MARK: The end

    @Test func `half an hour without a request ends the session, and requests extend it`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        for _ in 0..<3 {
            world.clock.advance(by: .seconds(29 * 60))
            #expect(try await browser.get("/admin/configuration").status == 200)
        }
        world.clock.advance(by: .seconds(30 * 60))
        #expect(try await browser.get("/admin/configuration").status == 302)
    }

    @Test func `twelve hours end the session, however it is used`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        for _ in 0..<35 {
            world.clock.advance(by: .seconds(20 * 60))
            #expect(try await browser.get("/admin/configuration").status == 200)
        }
        world.clock.advance(by: .seconds(20 * 60))
        #expect(try await browser.get("/admin/configuration").status == 302)
    }

    @Test func `the loss of the role holds on the next request`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let change = AccountChange(removedRoles: [try RoleAssignment(role: User.adminRole)])
        _ = try await world.store.change(world.account().id, in: world.app, change, at: world.clock.now)
        #expect(try await browser.get("/admin/people").status == 403)
    }

    @Test func `disabling the account ends its session`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        _ = try await world.store.change(
            world.account().id, in: world.app, AccountChange(isActive: false), at: world.clock.now)
        #expect(try await browser.get("/admin/people").status == 302)
    }

    @Test func `signing out ends the session and the browser's sign-in at the provider`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let token = browser.cookies[Browser.consoleCookie]
        let page = try await browser.submit(try await browser.get("/admin/configuration"), to: "/admin/sign-out")
        #expect(page.status == 200)
        #expect(page.response.headers["clear-site-data"] == "\"cache\"")
        #expect(browser.cookies[Browser.consoleCookie] == nil)
        browser.keep(Browser.consoleCookie, token)
        #expect(try await browser.get("/admin").status == 302)
        #expect(try await browser.get("/idp/account").location?.hasPrefix("/idp/sign-in") == true)
    }

    @Test func `signing out at the provider ends the session`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        _ = try await browser.submit(try await browser.get("/idp/account"), to: "/idp/end-session")
        #expect(try await browser.get("/admin").status == 302)
    }
}
