import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@Suite struct AdministrationTests {
    private let world: World
    private var administration: Administration { world.administration }

    init() throws { world = try World.vici() }

    private func record(_ email: String? = ada, _ change: (inout AccountRecord) -> Void = { _ in }) -> AccountRecord {
        var record = AccountRecord()
        record.email = email
        change(&record)
        return record
    }

    @Test func `makes an account whose owner can sign in`() async throws {
        _ = try await administration.create(record(), password: Secret(goodPassword))
        _ = try await world.signIn()
    }

    @Test func `makes an account whose owner sets a password through a reset`() async throws {
        _ = try await administration.create(record(), password: nil)
        let token = try await world.resetToken()
        _ = try await world.engine.perform(ResetPassword(proof: .token(token), password: Secret(goodPassword)))
        _ = try await world.signIn()
    }

    @Test(arguments: ["short", "password", ada])
    func `makes no account with a password that is not acceptable`(password: String) async throws {
        await #expect(throws: AdministrationProblem.self) {
            try await administration.create(record(), password: Secret(password))
        }
        #expect(try await world.account() == nil)
    }

    @Test func `makes no second account for one email`() async throws {
        _ = try await administration.create(record(), password: nil)
        await #expect(throws: AdministrationProblem.self) {
            try await administration.create(record("ADA@example.com"), password: nil)
        }
    }

    @Test func `makes no account that nobody could sign in to`() async throws {
        await #expect(throws: AdministrationProblem.self) {
            try await administration.create(record(nil), password: Secret(goodPassword))
        }
    }

    @Test func `finds an account by id, email, username and phone number`() async throws {
        let account = try await administration.create(
            record {
                $0.username = "ada"
                $0.phoneNumber = "+1 555 123-4567"
            }, password: nil)
        for who in [account.id.text, ada, "ADA@example.com", "ada", "+15551234567", "+1 (555) 123 4567"] {
            #expect(try await administration.account(who) == account)
        }
        await #expect(throws: AdministrationProblem.self) { try await administration.account("bob") }
    }

    @Test func `disables, ending every session, and enables`() async throws {
        let tokens = try await world.registered().tokens
        #expect(try await administration.setActive(false, ada).isActive == false)
        #expect(try await administration.sessions(of: ada).isEmpty)
        await #expect(throws: AuthError.accountDisabled) { try await world.use(tokens) }
        #expect(try await administration.setActive(true, ada).isActive)
    }

    @Test func `adds and removes roles, which hold from the next request`() async throws {
        let tokens = try await world.registered().tokens
        _ = try await administration.changeRoles(ada, adding: ["editor", "admin"], removing: [])
        #expect(try await world.use(tokens).roles == ["admin", "editor"])
        _ = try await administration.changeRoles(ada, adding: ["viewer"], removing: ["admin", "unknown"])
        #expect(try await world.use(tokens).roles == ["editor", "viewer"])
    }

    @Test(arguments: ["", "a,b", "a b", "a\nb", "é", ".", "..", String(repeating: "a", count: 65)])
    func `refuses a role that a header or a path could not hold`(role: String) async throws {
        try await world.registered()
        await #expect(throws: AdministrationProblem.self) {
            try await administration.changeRoles(ada, adding: ["good", role], removing: [])
        }
        #expect(try await administration.account(ada).roles.isEmpty)
    }

    @Test func `deletes an account with its sessions`() async throws {
        let tokens = try await world.registered().tokens
        _ = try await administration.delete(ada)
        await #expect(throws: AuthError.invalidAccessToken) { try await world.use(tokens) }
        await #expect(throws: AdministrationProblem.self) { try await administration.account(ada) }
    }

    @Test func `ends one session, or all`() async throws {
        let first = try await world.registered().tokens
        let second = try await world.signIn().tokens
        let third = try await world.signIn().tokens
        try await administration.revokeSession(try #require(try await world.session(of: first)?.id.text))
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(first) }
        #expect(try await world.session(of: first)?.revocation?.reason == .endedByAdministrator)
        try await world.use(second)
        #expect(try await administration.revokeAllSessions(of: ada) == 2)
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(third) }
        await #expect(throws: AdministrationProblem.self) { try await administration.revokeSession("unknown") }
    }

    @Test func `writes down everything that changes something`() async throws {
        _ = try await administration.create(record(), password: Secret(goodPassword))
        let session = try await world.session(of: try await world.signIn().tokens)
        try await administration.revokeSession(try #require(session?.id.text))
        _ = try await administration.revokeAllSessions(of: ada)
        _ = try await administration.setPassword(Secret(otherPassword), of: ada)
        _ = try await administration.setActive(false, ada)
        _ = try await administration.setActive(true, ada)
        _ = try await administration.changeRoles(ada, adding: ["admin"], removing: [])
        _ = try await administration.exportAccounts(after: nil, limit: 10)
        _ = try await administration.importAccounts([])
        _ = try await administration.delete(ada)
        let events = try await world.events().filter { $0.action.hasPrefix("cli.") }
        #expect(
            events.map(\.action) == [
                "cli.users.create", "cli.sessions.revoke", "cli.sessions.revoke", "cli.users.set-password",
                "cli.users.disable", "cli.users.enable", "cli.users.roles", "cli.users.export", "cli.users.import",
                "cli.users.delete",
            ])
        #expect(events.allSatisfy { $0.identifier != ada })
    }

    @Test func `does nothing that cannot be written down`() async throws {
        let tokens = try await world.registered().tokens
        let session = try #require(try await world.session(of: tokens)?.id.text)
        let before = try await world.account()
        world.store.fail("audit")
        let world = world
        let acts: [(Administration) async throws -> Void] = [
            { _ = try await $0.create(record("bob@example.com"), password: nil) },
            { _ = try await $0.importAccounts([record("bob@example.com")]) },
            { _ = try await $0.exportAccounts(after: nil, limit: 1) },
            { _ = try await $0.setActive(false, ada) },
            { _ = try await $0.changeRoles(ada, adding: ["admin"], removing: []) },
            { _ = try await $0.setPassword(Secret(otherPassword), of: ada) },
            { _ = try await $0.delete(ada) },
            { _ = try await $0.revokeAllSessions(of: ada) },
            { try await $0.revokeSession(session) },
        ]
        for act in acts { await #expect(throws: WatchedStore.Away.self) { try await act(world.administration) } }
        #expect(try await world.account() == before)
        #expect(try await world.account("bob@example.com") == nil)
        try await world.use(tokens)
    }

    // MARK: WHO

    /// Creates a provider's account with the given labels.
    private func label(
        _ subject: String, username: String? = nil, email: String? = nil, in world: World
    ) async throws -> Account {
        var record = AccountRecord()
        (record.authProvider, record.providerSubject) = ("oidc", subject)
        (record.username, record.email) = (username, email)
        return try await world.administration.create(record, password: nil)
    }

    private func problem(_ body: () async throws -> some Any) async -> String {
        do {
            _ = try await body()
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func `PT-10: finds a provider's account by the email and username it shows`() async throws {
        let scene = try BrowserWorld()
        let user = try #require(try await scene.signIn().user)
        for who in [user.id.text, "ada.l", "ADA.L", ada, "Ada@Example.com", "id:\(user.id)"] {
            #expect(try await scene.world.administration.account(who).id == user.id)
        }
    }

    @Test func `PT-10: every command finds a provider's account by its email`() async throws {
        let scene = try BrowserWorld()
        let tokens = try await scene.signIn().tokens
        let administration = scene.world.administration
        #expect(try await administration.sessions(of: ada).count == 1)
        #expect(try await administration.changeRoles(ada, adding: ["admin"], removing: []).roles == ["admin"])
        #expect(try await administration.revokeAllSessions(of: ada) == 1)
        await #expect(throws: AuthError.sessionRevoked) { try await scene.world.use(tokens) }
        #expect(try await administration.setActive(false, "ada.l").isActive == false)
        #expect(try await administration.setActive(true, "ada.l").isActive)
        _ = try await administration.setPassword(Secret(goodPassword), of: ada)
        _ = try await administration.delete(ada)
        await #expect(throws: AdministrationProblem.self) { try await administration.account(ada) }
    }

    @Test func `PT-10: refuses a label of several accounts with a list of their ids, masked`() async throws {
        let world = try World.timetracker(IdentitySources())
        let one = try await label("s1", username: "ada.l", email: ada, in: world)
        let two = try await label("s2", username: "Ada.L", email: "other@example.org", in: world)
        let said = await problem { try await world.administration.setActive(false, "ada.l") }
        for text in [one.id.text, two.id.text, "oidc", "a***@example.com"] { #expect(said.contains(text), "\(text)") }
        #expect(!said.contains(ada) && !said.contains("other@"))
        for id in [one.id, two.id] { #expect(try await world.administration.account("id:\(id)").isActive) }
        #expect(try await world.administration.account("other@example.org").id == two.id)
    }

    @Test func `PT-10: refuses a local account's email that is also a provider's label`() async throws {
        let local = try await administration.create(record(), password: nil)
        let social = try await label("s1", email: "Ada@example.com", in: world)
        let said = await problem { try await administration.delete(ada) }
        #expect(said.contains(local.id.text) && said.contains(social.id.text))
        #expect(try await administration.account(local.id.text) == local)
    }

    @Test func `PT-26: refuses WHO that is the id of one account and the username of another`() async throws {
        let world = try World.viewvault()
        let administration = world.administration
        for (id, name) in [("7", "ada"), ("8", "7")] {
            var record = AccountRecord()
            (record.id, record.username) = (id, name)
            _ = try await administration.create(record, password: nil)
        }
        let said = await problem { try await administration.setActive(false, "7") }
        #expect(said.contains("id 7") && said.contains("id 8"))
        #expect(try await administration.accounts(after: nil, limit: 10).page.allSatisfy(\.isActive))
        #expect(try await administration.setActive(false, "id:7").username?.text == "ada")
        #expect(try await administration.setActive(false, "8").username?.text == "7")
        #expect(await problem { try await administration.account("id:9") }.contains("no account"))
    }

    @Test func `PT-23: names who ran the command`() async throws {
        _ = try await administration.create(record(), password: nil)
        let alice = Administration(engine: world.engine, actor: .commandLine(user: "alice"))
        _ = try await alice.setActive(false, ada)
        let events = try await world.events().filter { $0.action.hasPrefix("cli.") }
        #expect(events.map(\.actor) == ["cli:operator", "cli:alice"])
        await #expect(throws: AuthError.wrongCredentials) { try await world.signIn() }
        #expect(try await world.events().last?.actor == nil)
    }
}
