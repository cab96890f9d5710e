import OstiaryCore
import OstiaryEngine
import Testing

/// The roles that are made through the administration.
@Suite struct RoleTests {
    private let world: World
    private var administration: Administration { world.administration }

    init() throws {
        world = try .vici { app in
            app.roles = RoleDefinitions(["editor": (try? [PermissionPattern("videos:write")]) ?? []])
        }
    }

    private func allows(_ tokens: Tokens, _ permission: String, in scope: String? = nil) async throws -> Bool {
        try await world.engine.perform(
            CheckPermission(
                accessToken: tokens.accessToken, permission: Permission(permission),
                scope: scope.map { try PermissionScope($0) })
        ).isAllowed
    }

    private func problem(_ body: () async throws -> Void) async -> AdministrationProblem? {
        do {
            try await body()
            return nil
        } catch {
            return error as? AdministrationProblem
        }
    }

    @Test(
        arguments: [
            (["videos:read"], "moderator", "videos:read", nil, true),
            (["videos:read"], "moderator", "videos:write", nil, false),
            (["videos:read"], "moderator", "videos:read", "project:42", true),
            (["videos:*"], "moderator@project:42", "videos:delete", "project:42", true),
            (["videos:*"], "moderator@project:42", "videos:delete", "project:4", false),
            (["videos:*"], "moderator@project:42", "videos:delete", nil, false),
            (["videos:*"], "moderator", "images:delete", nil, false),
            (["*"], "moderator", "anything:else", "project:1", true),
            (["*"], "moderator@project:1", "anything:else", nil, false),
            ([], "moderator", "videos:read", nil, false),
            (["videos:read"], "other", "videos:read", nil, false),
        ] as [([String], String, String, String?, Bool)])
    func `a role of the store grants its permissions where it is assigned`(
        permissions: [String], assigned: String, permission: String, scope: String?, isAllowed: Bool
    ) async throws {
        _ = try await administration.createRole("moderator", permissions: permissions)
        let tokens = try await world.registered().tokens
        _ = try await administration.changeRoles(ada, adding: [assigned], removing: [])
        #expect(try await allows(tokens, permission, in: scope) == isAllowed)
    }

    @Test func `a changed and a deleted role hold on the next request`() async throws {
        let tokens = try await world.registered().tokens
        _ = try await administration.changeRoles(ada, adding: ["moderator"], removing: [])
        #expect(try await !allows(tokens, "videos:read"))
        _ = try await administration.createRole("moderator", permissions: ["videos:read"])
        #expect(try await allows(tokens, "videos:read"))
        _ = try await administration.updateRole("moderator", permissions: ["images:read"])
        #expect(try await !allows(tokens, "videos:read"))
        #expect(try await allows(tokens, "images:read"))
        try await administration.deleteRole("moderator")
        #expect(try await !allows(tokens, "images:read"))
        #expect(try await administration.account(ada).roles == ["moderator"])
    }

    @Test func `refuses permissions that were made from others than the present ones`() async throws {
        let read = EntityTag(
            permissionsOf: try await administration.createRole("moderator", permissions: ["videos:read", "videos:*"]))
        _ = try await administration.updateRole("moderator", permissions: ["videos:read"], expected: read)
        let stale = await problem {
            _ = try await administration.updateRole("moderator", permissions: ["*"], expected: read)
        }
        #expect(stale == .editConflict)
        #expect(try await administration.role("moderator").permissions.map(\.text) == ["videos:read"])
        try await administration.deleteRole("moderator")
        let gone = await problem {
            _ = try await administration.updateRole("moderator", permissions: ["*"], expected: read)
        }
        #expect(gone?.reason == .notFound)
    }

    @Test func `reads no definition for an account whose roles need none`() async throws {
        let tokens = try await world.registered().tokens
        _ = try await administration.changeRoles(ada, adding: ["editor", "admin@project:1"], removing: [])
        #expect(try await allows(tokens, "videos:write"))
        #expect(!world.store.calls.contains("rolesNamed"))
        _ = try await administration.changeRoles(ada, adding: ["moderator"], removing: [])
        #expect(try await allows(tokens, "videos:write"))
        #expect(world.store.calls.contains("rolesNamed"))
    }

    @Test func `lists all roles by name, with their origin`() async throws {
        for name in ["viewer", "author"] { _ = try await administration.createRole(name, permissions: ["videos:read"]) }
        let all = try await administration.roles(limit: 10)
        #expect(all.page.map(\.name) == ["admin", "author", "editor", "viewer"])
        #expect(all.page.map(\.source) == [.builtIn, .api, .configuration, .api])
        #expect(all.page[0].permissions == [.all])
        #expect(all.next == nil)
        var names: [String] = []
        var next: String?
        repeat {
            let (page, last) = try await administration.roles(after: next, limit: 1)
            names += page.map(\.name)
            next = last
        } while next != nil
        #expect(names == ["admin", "author", "editor", "viewer"])
        #expect(try await administration.role("viewer").source == .api)
        #expect(await problem { _ = try await administration.role("stranger") }?.code == "not_found")
    }

    @Test func `a role of the configuration hides one of the store`() async throws {
        _ = try await administration.createRole("viewer", permissions: ["videos:read"])
        let later = try World("vici", .vici, sharing: world) { app in
            app.roles = RoleDefinitions(["viewer": (try? [PermissionPattern("images:read")]) ?? []])
        }
        #expect(try await later.administration.roles(limit: 10).page.map(\.source) == [.builtIn, .configuration])
        let tokens = try await world.registered().tokens
        _ = try await administration.changeRoles(ada, adding: ["viewer"], removing: [])
        let granted = try await later.engine.perform(ListPermissions(accessToken: tokens.accessToken))
        #expect(granted.grants.map(\.pattern.text) == ["images:read"])
    }

    @Test(arguments: ["admin", "editor"])
    func `does not change a role that is defined elsewhere`(name: String) async throws {
        #expect(
            await problem { _ = try await administration.createRole(name, permissions: []) }?.code == "role_exists")
        #expect(
            await problem { _ = try await administration.updateRole(name, permissions: []) }?.code == "role_read_only")
        #expect(await problem { try await administration.deleteRole(name) }?.code == "role_read_only")
    }

    @Test func `makes no second role of one name, and changes none that is not there`() async throws {
        _ = try await administration.createRole("viewer", permissions: ["videos:read"])
        let again = await problem { _ = try await administration.createRole("viewer", permissions: []) }
        #expect(again == .conflict("role_exists", pointer: "/name", "there is a role viewer already"))
        #expect(try await administration.role("viewer").permissions.map(\.text) == ["videos:read"])
        #expect(
            await problem { _ = try await administration.updateRole("other", permissions: []) }?.reason == .notFound)
        #expect(await problem { try await administration.deleteRole("other") }?.reason == .notFound)
    }

    @Test(
        arguments: [
            ("", [], "/name", "missing"), ("a b", [], "/name", "malformed"), ("é", [], "/name", "malformed"),
            (".", [], "/name", "malformed"), ("..", [], "/name", "malformed"),
            (String(repeating: "a", count: 65), [], "/name", "malformed"),
            ("viewer", ["videos:read", "videos"], "/permissions/1", "malformed"),
            ("viewer", [""], "/permissions/0", "missing"), ("viewer", ["*:read"], "/permissions/0", "malformed"),
            (
                "viewer", (0...200).map { "videos:action\($0)" }, "/permissions", "too_many_permissions"
            ),
        ] as [(String, [String], String, String)])
    func `names the field of a role that is not acceptable`(
        name: String, permissions: [String], pointer: String, code: String
    ) async throws {
        let problem = await problem { _ = try await administration.createRole(name, permissions: permissions) }
        #expect(problem?.reason == .invalid)
        #expect(problem?.pointer == pointer)
        #expect(problem?.code == code)
        #expect(try await administration.roles(limit: 10).page.map(\.name) == ["admin", "editor"])
    }

    @Test func `keeps at most two hundred roles`() async throws {
        for number in 0..<200 { _ = try await administration.createRole("role-\(number)", permissions: []) }
        let problem = await problem { _ = try await administration.createRole("more", permissions: []) }
        #expect(problem?.code == "role_limit_reached")
    }

    @Test func `replaces all assignments of an account`() async throws {
        try await world.registered()
        _ = try await administration.changeRoles(ada, adding: ["editor", "viewer@project:1"], removing: [])
        let id = try #require(try await world.account()).id
        let changed = try await administration.setRoles(
            of: id, [RoleAssignment("viewer"), RoleAssignment("editor@project:2"), RoleAssignment("viewer")])
        #expect(changed.assignments.map(\.text) == ["editor@project:2", "viewer"])
        #expect(try await administration.setRoles(of: id, []).assignments.isEmpty)
        #expect(
            await problem { _ = try await administration.setRoles(of: AccountID("nobody"), []) }?.reason == .notFound)
        let many = try (0...100).map { try RoleAssignment("viewer@project:\($0)") }
        let problem = await problem { _ = try await administration.setRoles(of: id, many) }
        #expect(problem?.pointer == "/roles")
        #expect(problem?.code == "too_many_roles")
    }

    @Test func `writes changes of roles to the audit log`() async throws {
        _ = try await administration.createRole("viewer", permissions: ["videos:read", "images:*"])
        _ = try await administration.updateRole("viewer", permissions: ["*"])
        try await administration.deleteRole("viewer")
        try await world.registered()
        let id = try #require(try await world.account()).id
        _ = try await administration.setRoles(of: id, [RoleAssignment("viewer@project:1")])
        let events = try await world.events().filter { $0.actor != nil }
        #expect(
            events.map(\.action) == ["cli.roles.create", "cli.roles.update", "cli.roles.delete", "cli.users.roles"])
        #expect(
            events.map(\.details) == [
                ["role": "viewer", "permissions": "videos:read,images:*"], ["role": "viewer", "permissions": "*"],
                ["role": "viewer"], ["roles": "viewer@project:1"],
            ])
        #expect(events[3].account == id)
    }

    @Test func `makes no change that cannot be audited`() async throws {
        world.store.fail("audit")
        _ = await problem { _ = try await administration.createRole("viewer", permissions: []) }
        world.store.recover()
        #expect(await problem { _ = try await administration.role("viewer") }?.code == "not_found")
    }
}
