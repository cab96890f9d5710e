import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import OstiaryTesting
import Testing

@testable import OstiaryHTTP

/// Forms of the console: their protection, the confirmation and the step-up before dangerous actions.
struct ConsoleFormTests {
    /// Another person's page in the console.
    private static let email = "bob@example.com"

    private func bob(in world: ConsoleWorld) async throws -> Account {
        _ = try await world.browser().registerHere(Self.email, name: "Bob <script>alert(1)</script>")
        return try await world.account(Self.email)
    }

    @Test func `a dangerous action names the person and is done after its confirmation`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let bob = try await bob(in: world)
        let page = try await browser.get("/admin/people/idp/\(bob.id)/disable")
        #expect(page.html.contains("Bob &lt;script&gt;alert(1)&lt;/script&gt;"))
        #expect(page.html.contains(Self.email))
        let done = try await browser.submit(page, to: "/admin/people/idp/\(bob.id)/disable")
        #expect(done.status == 303)
        #expect(done.location == "/admin/people/idp/\(bob.id)?done=disable")
        #expect(try await world.account(Self.email).isActive == false)
        #expect(try await browser.arrive(done).html.contains("The account is disabled."))
    }

    @Test func `the audit log names the administrator`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let bob = try await bob(in: world)
        let page = try await browser.get("/admin/people/idp/\(bob.id)/disable")
        _ = try await browser.submit(page, to: "/admin/people/idp/\(bob.id)/disable")
        let events = try await world.store.events(in: world.app, since: nil, after: nil, limit: 1000).map(\.event)
        let event = try #require(events.last { $0.action == "admin.users.disable" })
        let administrator = try await world.account().id
        #expect(event.actor == "account:\(administrator)")
        #expect(event.address == "192.0.2.7")
    }

    @Test func `a dangerous action needs an authentication of the last five minutes`() async throws {
        let world = try await ConsoleWorld()
        let (browser, authenticator) = try await world.signedIn()
        let bob = try await bob(in: world)
        let path = "/admin/people/idp/\(bob.id)/disable"
        let page = try await browser.get(path)
        world.clock.advance(by: .seconds(301))
        #expect(try await browser.get("/admin/people/idp/\(bob.id)").status == 200)

        let refused = try await browser.submit(page, to: path)
        #expect(refused.status == 303)
        #expect(refused.location?.contains("max_age=300") == true)
        #expect(try await world.account(Self.email).isActive)

        let again = try await browser.signInAgain(try await browser.settle(refused), authenticator)
        #expect(again.html.contains("<h1><bdi>Disable</bdi></h1>"))
        #expect(try await browser.submit(again, to: path).status == 303)
        #expect(try await world.account(Self.email).isActive == false)
    }

    @Test(arguments: [
        ("apps=&days=30&networks=10.0.0.0/8", 1), ("apps=&days=30&networks=10.0.0.0/8&networks=", 0),
        ("apps=&days=31&networks=", 0), ("apps=&days=30", 0), ("days=30&networks=", 0), ("apps=&networks=", 0),
    ])
    func `a form with a repeated or missing field or an unknown choice creates no service key`(
        _ fields: String, _ count: Int
    ) async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let path = "/admin/service-keys/new"
        let token = try #require(try await browser.get(path).forms.last?.hidden["form_token"])
        let answer = try await browser.post(
            path, form: "form_token=\(token)&name=a&scope.accounts%3Aread=on&\(fields)")
        #expect(answer.status == (count == 1 ? 200 : 400))
        #expect(try await world.store.serviceKeys(after: nil, limit: 10).page.count == count)
    }

    @Test(arguments: ["roles", "edit", "password"])
    func `a form of a person that lacks its fields is refused and removes nothing`(_ action: String) async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let bob = try await bob(in: world)
        let roles = "/admin/people/idp/\(bob.id)/roles"
        #expect(try await browser.submit(try await browser.get(roles), to: roles, ["roles": "editor"]).status == 303)
        let before = try await world.account(Self.email)
        #expect(before.roles == ["editor"])
        let path = "/admin/people/idp/\(bob.id)/\(action)"
        #expect(try await browser.submit(try await browser.get(path), to: path).status == 400)
        #expect(try await world.account(Self.email) == before)
        // An empty field is sent, and removes the roles.
        #expect(try await browser.submit(try await browser.get(roles), to: roles, ["roles": ""]).status == 303)
        #expect(try await world.account(Self.email).roles.isEmpty)
    }

    @Test func `a form of a role that lacks the permissions is refused`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let path = "/admin/roles/new?app=idp"
        let token = try #require(try await browser.get(path).forms.last?.hidden["form_token"])
        let named = ["form_token": token, "name": "editor"]
        #expect(try await browser.post(path, named).status == 400)
        #expect(try await browser.post(path, named.merging(["permissions": "videos:read"]) { $1 }).status == 303)
        let edit = "/admin/roles/edit?app=idp&role=editor"
        #expect(try await browser.post(edit, ["form_token": token]).status == 400)
        #expect(try await browser.get(edit).html.contains("videos:read"))
    }

    @Test func `the console's hint has the form of a role`() {
        #expect(EnglishConsoleTexts().roleNameHint == RoleAssignment.form)
    }

    @Test(arguments: [
        (
            "en",
            [
                "3 entries cannot be used.", "Enter an email address such as name@example.com.",
                "Enter the number with + and the country code", "This is too short.",
            ]
        ),
        (
            "de",
            [
                "3 Eingaben können so nicht gespeichert werden.", "Mail-Adresse wie name@example.com ein.",
                "Geben Sie die Nummer mit + und der Landesvorwahl ein", "Das ist zu kurz.",
            ]
        ),
    ])
    func `every field that cannot be used has its reason in one answer, which repeats no password`(
        _ language: String, _ sentences: [String]
    ) async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        browser.language = language
        let path = "/admin/people/new"
        let fields = [
            "app": "idp", "full_name": "Bob", "email": "nowhere", "username": "", "phone_number": "12",
            "password": "zq7!x",
        ]
        let refused = try await browser.submit(try await browser.get(path), to: path, fields)
        #expect(refused.status == 400)
        for sentence in sentences { #expect(refused.html.contains(sentence), "\(sentence)") }
        for field in ["email", "phone_number", "password"] {
            #expect(refused.html.contains(#"id="\#(field)-problem""#), "\(field)")
        }
        #expect(refused.html.contains(#"value="nowhere""#) && !refused.html.contains("zq7!x"))
    }

    @Test func `a service key's fields have their reasons in one answer`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let path = "/admin/service-keys/new"
        let fields = ["name": "", "apps": "nowhere", "networks": "x", "days": "30"]
        let refused = try await browser.submit(try await browser.get(path), to: path, fields)
        #expect(refused.status == 400)
        for field in ["name", "scopes", "apps", "networks"] {
            #expect(refused.html.contains(#"id="\#(field)-problem""#), "\(field)")
        }
    }

    @Test(arguments: [
        "app", "full_name", "email", "email_verified", "username", "phone_number", "phone_number_verified", "roles",
        "password", "invite", "attributes.colour", "name", "permissions", "url", "types", "include", "description",
        "contact", "days",
    ])
    func `each field of a form has a sentence of its own in each language`(_ field: String) {
        let sentences = ConsoleLanguage.all.compactMap { $0.requirement(of: field) }
        #expect(Set(sentences).count == ConsoleLanguage.all.count)
    }

    @Test(arguments: [
        "missing", "malformed", "not_supported", "unknown", "mistyped", "too_short", "too_long", "too_many",
        "too_many_roles", "too_many_permissions", "name_missing", "name_malformed", "name_too_long", "scopes_missing",
        "scope_unknown", "app_unknown", "apps_too_many", "networks_too_many", "network_malformed", "endpoint_disabled",
        "https_required", "address_refused", "limit_reached", "role_limit_reached", "edit_conflict",
    ])
    func `a refusal is in the words of each language`(_ code: String) {
        let problem = AdministrationProblem(.invalid, code: code, pointer: "/email", "the words of the engine")
        let sentences = ConsoleLanguage.all.map { $0.text(of: problem) }
        #expect(Set(sentences).count == ConsoleLanguage.all.count && !sentences.contains(problem.description))
    }

    @Test func `a form without the page's token changes nothing`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let bob = try await bob(in: world)
        for token in [nil, "", "x", String(repeating: "A", count: 43)] {
            let fields = token.map { ["form_token": $0] } ?? [:]
            #expect(try await browser.post("/admin/people/idp/\(bob.id)/disable", fields).status == 403)
        }
        #expect(try await world.account(Self.email).isActive)
    }

    @Test(arguments: ["cross-site", "same-site"])
    func `a form that another site sends changes nothing`(_ site: String) async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let bob = try await bob(in: world)
        let page = try await browser.get("/admin/people/idp/\(bob.id)/disable")
        browser.fetchSite = site
        #expect(try await browser.submit(page, to: "/admin/people/idp/\(bob.id)/disable").status == 403)
        #expect(try await world.account(Self.email).isActive)
    }

    @Test func `another session's token is refused`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let bob = try await bob(in: world)
        let page = try await browser.get("/admin/people/idp/\(bob.id)/disable")
        let other = world.browser()
        _ = try await world.person("eve@example.com", name: "Eve", in: other)
        _ = try await other.openConsole()
        let fields = page.forms.last { $0.action.hasSuffix("/disable") }?.hidden ?? [:]
        #expect(fields["form_token"] != nil)
        #expect(try await other.post("/admin/people/idp/\(bob.id)/disable", fields).status == 403)
    }

    @Test func `a form after the session's end leads to the sign-in and then to its page`() async throws {
        let world = try await ConsoleWorld()
        let (browser, authenticator) = try await world.signedIn()
        let bob = try await bob(in: world)
        let page = try await browser.get("/admin/people/idp/\(bob.id)/edit")
        world.clock.advance(by: .seconds(1800))
        let answer = try await browser.submit(page, to: "/admin/people/idp/\(bob.id)/edit", ["full_name": "Robert"])
        #expect(answer.status == 303)
        #expect(try await world.account(Self.email).fullName?.text != "Robert")
        // The page asks for a recent sign-in.
        let again = try await browser.signInAgain(try await browser.settle(answer), authenticator)
        #expect(again.html.contains("<h1><bdi>Edit</bdi></h1>"))
    }

    @Test(arguments: ["disable", "delete", "roles"])
    func `the last administrator stays one`(_ action: String) async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let path = "/admin/people/idp/\(try await world.account().id)/\(action)"
        let answer = try await browser.submit(try await browser.get(path), to: path, ["roles": "editor"])
        #expect(answer.status == 409)
        #expect(answer.html.contains("This is the last administrator."))
        #expect(try await browser.get("/admin/configuration").status == 200)
    }

    @Test func `everything that is kept about a person is a file, and the export is audited once`() async throws {
        let world = try await ConsoleWorld()
        let (browser, _) = try await world.signedIn()
        let id = try await world.account().id
        let path = "/admin/people/idp/\(id)/export"
        let page = try await browser.get(path)
        #expect(page.html.contains("Export the data"))
        #expect(page.response.headers["content-type"] == "text/html; charset=utf-8")
        let file = try await browser.submit(page, to: path, [:])
        #expect(file.status == 200)
        #expect(file.response.headers["content-disposition"] == "attachment; filename=\"idp-\(id).json\"")
        let body = try await file.response.wholeBody()
        #expect(try JSON.read(body)["account"]?["id"] == .string(id.text))
        let text = String(decoding: body, as: UTF8.self)
        #expect(!text.contains("passwordHash") && !text.contains("password_hash"))
        let audited = try await world.store.events(
            AuditQuery(apps: [AppName("idp")], action: "admin.users.personal-data"), after: nil, limit: 10)
        #expect(audited.page.count == 1)
    }
}
