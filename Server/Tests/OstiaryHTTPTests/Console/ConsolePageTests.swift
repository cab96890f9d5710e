import OstiaryContracts
import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import OstiaryTesting
import Testing

@testable import OstiaryHTTP

/// The content of the console's pages, and their access.
struct ConsolePageTests {
    static let pages = [
        "/admin", "/admin/people", "/admin/people/new", "/admin/audit", "/admin/messages", "/admin/events",
        "/admin/roles",
        "/admin/service-keys", "/admin/signing-keys", "/admin/configuration", "/admin/health",
    ]

    @Test(arguments: pages)
    func `every page needs a session`(_ path: String) async throws {
        let world = try await ConsoleWorld()
        let page = try await world.browser().get(path)
        #expect(page.status == 302)
        #expect(page.html.isEmpty)
        #expect(page.location?.hasPrefix("/idp/authorize?") == true)
        #expect(parameter("acr_values", of: page.location) == "aal2")
    }

    @Test(arguments: ["en", "de"])
    func `every page has one heading, its language, and no inline style or script`(_ language: String) async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        browser.language = language
        for path in Self.pages {
            let page = try await browser.get(path)
            #expect(page.status == 200, "\(path)")
            #expect(page.html.matches(of: /<h1>/).count == 1, "\(path)")
            #expect(page.html.contains("<html lang=\"\(language)\">"), "\(path)")
            #expect(page.html.firstMatch(of: /<style|style=|<script(?! src)| on[a-z]+=/) == nil, "\(path)")
            #expect(!page.html.contains("{{"), "\(path)")
        }
    }

    @Test func `pages cannot be framed, and load only the server's own files`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let headers = try await browser.get("/admin/people").response.headers
        let policy = try #require(headers["content-security-policy"])
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(policy.contains("form-action 'self'"))
        #expect(!policy.contains("unsafe"))
        #expect(headers["x-frame-options"] == "DENY")
        #expect(headers["cache-control"] == "no-store")
    }

    @Test(arguments: ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'\u{301} onfocus=alert(1) '"])
    func `a hostile name is text on every page`(_ name: String) async throws {
        let world = try await ConsoleWorld()
        let browser = world.browser()
        _ = try await world.person(name: name, in: browser)
        _ = try await browser.openConsole()
        let id = try await world.account().id
        let shown = HTML.escape(name)
        for path in ["", "/edit", "/roles", "/delete", "/disable", "/password"] {
            let page = try await browser.get("/admin/people/idp/\(id)\(path)")
            #expect(page.html.contains(shown), "\(path)")
            #expect(!page.html.contains(name), "\(path)")
        }
        #expect(try await browser.get("/admin/people?app=idp").html.contains(shown))
    }

    @Test func `what a query searches for stands in its field as text`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let page = try await browser.get("/admin/people?app=idp&q=%22%3E%3Cscript%3E")
        #expect(page.html.contains(#"value="&quot;&gt;&lt;script&gt;""#))
    }

    @Test(arguments: [
        "people?app=none", "people?active=maybe", "people?factor=sms", "people?role=a%20b", "people?role=a&role=b",
        "people?created_after=2026-02-30", "people?created_after=26-2-3",
        "people?q=\(String(repeating: "a", count: 255))",
        "people?q=\(String(repeating: "a", count: 600))", "audit?app=none", "audit?app=idp&account=a%20b",
        "audit?since=2026-02-30", "audit?until=2026-02-30", "audit?action=\(String(repeating: "a", count: 600))",
        "audit?account=1", "messages?app=none", "messages?state=lost",
    ])
    func `a filter that cannot be applied is refused at its field, without a list`(_ path: String) async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let page = try await browser.get("/admin/\(path)")
        #expect(page.status == 400)
        #expect(page.html.matches(of: /aria-invalid="true"/).count == 1)
        #expect(!page.html.contains("<table"))
    }

    @Test(arguments: ["roles?app=none", "messages?cursor=x", "audit?cursor=x", "people?cursor=x"])
    func `a list that does not exist is refused`(_ path: String) async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let page = try await browser.get("/admin/\(path)")
        #expect(page.status == 400)
        #expect(!page.html.contains("<table"))
    }

    @Test(arguments: ["active=true", "active=false", "factor=totp", "created_after=2024-02-29", "role=admin", "q="])
    func `a filter that can be applied is`(_ query: String) async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let page = try await browser.get("/admin/people?app=idp&\(query)")
        #expect(page.status == 200)
        #expect(page.html.contains("<table") == (query != "active=false"))
    }

    @Test func `the filter of the audit log names the account's id`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        #expect(try await browser.get("/admin/audit").html.contains(#"<label for="account">Account ID</label>"#))
    }

    @Test(arguments: [
        "/admin/nothing", "/admin/people/idp/1/explode", "/admin/people/idp", "/admin/roles/new/x", "/admin/%00",
    ])
    func `an unknown address is a page in the frame`(_ path: String) async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let page = try await browser.get(path)
        #expect(page.status == 404)
        #expect(page.html.contains(#"<nav id="navigation""#))
    }

    @Test(arguments: ["/admin/people/idp/999999", "/admin/people/none/1", "/admin/people/idp/../../etc"])
    func `an unknown person, or one of an unknown app, is not found`(_ path: String) async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        #expect(try await browser.get(path).status == 404)
    }

    @Test func `a sign-in that waits for a second factor is no refusal in the overview`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        func overview(adding outcome: String) async throws -> String {
            let key = HourlyCount.Key(
                app: world.app, at: world.clock.now.addingTimeInterval(-86_400), series: .signIn, operation: "signIn",
                method: "password", outcome: outcome)
            let position = try await world.store.statisticsPosition()
            let isAdded = try await world.store.add(
                [HourlyCount(key, count: 3)], movingPositionFrom: position, to: position + 1)
            #expect(isAdded)
            return try await browser.get("/admin").html
        }
        for outcome in [AuditEvent.succeeded, AuditEvent.pending] {
            #expect(try await !overview(adding: outcome).contains("Reasons of refusals"))
        }
        let html = try await overview(adding: "invalid_credentials")
        #expect(html.contains("Reasons of refusals") && html.contains("invalid_credentials"))
        #expect(!html.contains("challenge_required"))
    }

    @Test func `the assets need no session`() async throws {
        let browser = try await ConsoleWorld().browser()
        for (path, type) in [
            ("/admin/assets/console.css", "text/css; charset=utf-8"),
            ("/admin/assets/ostiary.js", "text/javascript; charset=utf-8"),
            ("/admin/assets/ostiary.svg", "image/svg+xml"),
        ] {
            let file = try await browser.get(path)
            #expect(file.status == 200)
            #expect(file.response.headers["content-type"] == type)
        }
        #expect(try await browser.get("/admin/assets/other").status == 404)
    }

    @Test func `a label for logs holds no id`() {
        #expect(ConsolePath("/admin/people/vici/7/delete")?.label == "console person delete")
        #expect(ConsolePath("/admin/people/vici/7")?.label == "console person")
        #expect(ConsolePath("/admin")?.label == "console overview")
    }

    @Test func `the stacks of a chart fill its height and no more`() {
        let chart = ConsoleView.Chart(
            label: "", series: ["a", "b", "c"], steps: [("1", [1, 2, 0]), ("2", [0, 0, 0]), ("3", [3, 3, 3])],
            columns: [], start: "", end: "")
        #expect(chart.chartTop == "9")
        #expect(chart.chartWidth == 30)
        #expect(chart.chartBars.map(\.barSeries) == [1, 2, 1, 2, 3])
        let last = chart.chartBars.suffix(3)
        #expect(last.map(\.barHeight) == ["33.33", "33.33", "33.33"])
        #expect(last.map(\.barY) == ["66.67", "33.34", "0.01"])
    }
}
