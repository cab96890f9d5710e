import OstiaryCore
import OstiaryEngine
import OstiaryStore
import OstiaryTesting
import Testing

@testable import OstiaryHTTP

/// Forms of the console that were opened before another administrator made a change.
struct ConsoleEditConflictTests {
    private static let email = "bob@example.com"
    private static let url = "https://crm.example.com/events"

    private let world: ConsoleWorld
    private let browser: Browser

    init() async throws {
        let world = try await ConsoleWorld()
        self.world = world
        browser = try await world.signedIn().browser
    }

    /// Another administrator, who uses the admin API.
    private var other: ServerAdministration { ServerAdministration(world.console.server, actor: .serviceKey("k1")) }

    private func bob() async throws -> Account {
        _ = try await world.browser().registerHere(Self.email, name: "Bob")
        return try await world.account(Self.email)
    }

    /// Opens the form of a person, whose address another administrator replaces afterwards.
    private func outdatedForm(of account: Account) async throws -> (path: String, form: Browser.Page) {
        let path = "/admin/people/idp/\(account.id)/edit"
        let form = try await browser.get(path)
        var update = AccountUpdate()
        update.email = .replaced("new@example.com")
        _ = try await other.app("idp").update(account.id, update)
        return (path, form)
    }

    /// Submits the last form of a page with its hidden fields.
    private func submit(
        _ page: Browser.Page, to url: String, _ fields: [String: String]
    ) async throws -> Browser.Page {
        try await browser.post(url, (page.forms.last?.hidden ?? [:]).merging(fields) { $1 })
    }

    private func editActions() async throws -> Int {
        try await world.store.events(in: world.app, since: nil, after: nil, limit: 1000)
            .count { ["admin.users.update", "admin.users.roles"].contains($0.event.action) }
    }

    @Test func `an outdated form of a person brings no earlier address back`() async throws {
        let bob = try await bob()
        let (path, form) = try await outdatedForm(of: bob)
        let audited = try await editActions()

        var fields = [
            "full_name": "Robert", "email": Self.email, "email_verified": "on", "username": "", "phone_number": "",
        ]
        let refused = try await submit(form, to: path, fields)
        #expect(refused.status == 409)
        #expect(refused.html.contains("Nothing was saved."))
        #expect(refused.html.contains(#"value="new@example.com""#))
        #expect(!refused.html.contains(Self.email))
        #expect(refused.html.contains(#"value="Robert""#) && !refused.html.contains(" checked"))
        let kept = try await world.account("new@example.com")
        #expect(!kept.isEmailVerified && kept.fullName == bob.fullName)
        #expect(try await editActions() == audited)

        // The page that is shown instead has the present values beside what was entered, and is saved.
        fields["email"] = "new@example.com"
        fields["email_verified"] = nil
        #expect(try await submit(refused, to: path, fields).status == 303)
        let saved = try await world.account("new@example.com")
        #expect(saved.fullName?.text == "Robert" && !saved.isEmailVerified)
    }

    @Test func `an outdated form of a person verifies no address that it does not show`() async throws {
        let (path, form) = try await outdatedForm(of: bob())
        let fields = ["full_name": "Bob", "email": "new@example.com", "username": "", "phone_number": ""]
        #expect(try await submit(form, to: path, fields.merging(["email_verified": "on"]) { $1 }).status == 409)
        #expect(try await world.account("new@example.com").isEmailVerified == false)
    }

    @Test func `an outdated form of roles gives no role back, not even when it is shown again`() async throws {
        let bob = try await bob()
        let path = "/admin/people/idp/\(bob.id)/roles"
        _ = try await other.app("idp").setRoles(of: bob.id, RoleAssignment.read(["admin", "viewer"]))
        let form = try await browser.get(path)
        _ = try await other.app("idp").setRoles(of: bob.id, RoleAssignment.read(["viewer"]))
        let audited = try await editActions()

        let malformed = try await submit(form, to: path, ["roles": "admin\nno role"])
        #expect(malformed.status == 400)
        let refused = try await submit(malformed, to: path, ["roles": "admin\nviewer\neditor"])
        #expect(refused.status == 409)
        // The line that was added, without the one that was removed meanwhile.
        #expect(refused.html.contains(">viewer\neditor</textarea>"))
        #expect(try await world.account(Self.email).roles == ["viewer"])
        #expect(try await editActions() == audited)

        #expect(try await submit(refused, to: path, ["roles": "viewer\neditor"]).status == 303)
        #expect(try await world.account(Self.email).roles == ["editor", "viewer"])
    }

    @Test func `a form of roles is not outdated by a change of the profile`() async throws {
        let bob = try await bob()
        let path = "/admin/people/idp/\(bob.id)/roles"
        let form = try await browser.get(path)
        var update = AccountUpdate()
        update.fullName = .replaced("Robert")
        _ = try await other.app("idp").update(bob.id, update)
        #expect(try await submit(form, to: path, ["roles": "editor"]).status == 303)
        #expect(try await world.account(Self.email).roles == ["editor"])
    }

    @Test(arguments: [nil, "", "x"])
    func `a form without the tag of what it showed changes nothing`(_ tag: String?) async throws {
        let bob = try await bob()
        let path = "/admin/people/idp/\(bob.id)/roles"
        var fields = try #require(try await browser.get(path).forms.last?.hidden)
        #expect(fields["entity_tag"]?.isEmpty == false)
        fields["entity_tag"] = tag
        fields["roles"] = "editor"
        #expect(try await browser.post(path, fields).status == 409)
        #expect(try await world.account(Self.email).roles.isEmpty)
    }

    @Test func `an outdated form of a role gives no permission back`() async throws {
        _ = try await other.app("idp").createRole("editor", permissions: ["videos:read", "videos:delete"])
        let path = "/admin/roles/edit?app=idp&role=editor"
        let form = try await browser.get(path)
        _ = try await other.app("idp").updateRole("editor", permissions: ["videos:read"])
        let stale = ["permissions": "videos:read\nvideos:delete\nimages:read"]
        let refused = try await submit(form, to: path, stale)
        #expect(refused.status == 409)
        #expect(refused.html.contains(">videos:read\nimages:read</textarea>"))
        #expect(try await other.app("idp").role("editor").permissions.map(\.text) == ["videos:read"])

        #expect(try await submit(refused, to: path, ["permissions": "images:read"]).status == 303)
        #expect(try await other.app("idp").role("editor").permissions.map(\.text) == ["images:read"])
    }

    @Test(arguments: [EventEndpointUpdate(include: []), EventEndpointUpdate(state: .disabled)])
    func `an outdated form of an endpoint undoes no change`(_ change: EventEndpointUpdate) async throws {
        let (endpoint, _) = try await other.events.create(
            NewEventEndpoint(app: world.app, url: Self.url, include: ["email"]))
        let path = "/admin/events/edit?id=\(endpoint.id.text)"
        let form = try await browser.get(path)
        let changed = try await other.events.update(endpoint.id, change)
        let stale = ["url": Self.url, "include.email": "on", "description": "CRM", "contact": "", "enabled": "on"]
        let refused = try await submit(form, to: path, stale)
        #expect(refused.status == 409)
        #expect(try await other.events.endpoint(endpoint.id) == changed)
        #expect(refused.html.contains(#"value="CRM""#))
        #expect(refused.html.contains("Changed after you opened the page."))

        let fields = ["url": Self.url, "description": "CRM", "contact": ""]
        #expect(try await submit(refused, to: path, fields).status == 303)
        let saved = try await other.events.endpoint(endpoint.id)
        #expect(saved.description == "CRM" && saved.include.isEmpty && saved.state == .disabled)
    }

    @Test func `an outdated form keeps what was entered, beside the present value`() async throws {
        let (path, form) = try await outdatedForm(of: bob())
        let fields = [
            "full_name": "Bob", "email": "third@example.com", "email_verified": "on", "username": "robert",
            "phone_number": "",
        ]
        let refused = try await submit(form, to: path, fields)
        #expect(refused.status == 409)
        #expect(refused.html.contains(#"value="third@example.com""#) && refused.html.contains(#"value="robert""#))
        #expect(refused.html.contains("The present value: new@example.com"))
        #expect(!refused.html.contains(#"id="full_name-problem""#) && !refused.html.contains(#"id="username-problem""#))
        // A check mark is about the values beside it.
        #expect(!refused.html.contains(" checked"))

        let saved = try await submit(refused, to: path, fields.merging(["email_verified": ""]) { $1 })
        #expect(saved.status == 303)
        #expect(try await world.account("third@example.com").username?.text == "robert")
    }

    @Test func `a form that is outdated twice shows the values of the second change`() async throws {
        let bob = try await bob()
        let path = "/admin/people/idp/\(bob.id)/roles"
        let form = try await browser.get(path)
        _ = try await other.app("idp").setRoles(of: bob.id, RoleAssignment.read(["viewer"]))
        let first = try await submit(form, to: path, ["roles": "editor"])
        #expect(first.html.contains(">viewer\neditor</textarea>"))
        _ = try await other.app("idp").setRoles(of: bob.id, RoleAssignment.read(["guest"]))
        let second = try await submit(first, to: path, ["roles": "viewer\r\neditor"])
        #expect(second.status == 409)
        #expect(second.html.contains(">guest\neditor</textarea>"))
        #expect(try await world.account(Self.email).roles == ["guest"])
    }

    @Test func `the refusal is in the language of the browser`() async throws {
        browser.language = "de"
        let bob = try await bob()
        let path = "/admin/people/idp/\(bob.id)/roles"
        let form = try await browser.get(path)
        _ = try await other.app("idp").setRoles(of: bob.id, RoleAssignment.read(["viewer"]))
        let refused = try await submit(form, to: path, ["roles": "editor"])
        #expect(refused.html.contains("Nichts wurde gespeichert."))
    }
}
