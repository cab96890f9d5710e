import OstiaryCore
@testable import OstiaryEngine
import Testing

/// The permissions that roles grant.
@Suite struct PermissionTests {
    private let world: World

    init() throws {
        world = try .vici { app in
            app.roles = RoleDefinitions([
                "editor": (try? ["videos:read", "videos:write"].map { try PermissionPattern($0) }) ?? [],
                "owner": (try? [PermissionPattern("videos:*")]) ?? [],
            ])
        }
    }

    private func grant(_ roles: String...) async throws {
        _ = try await world.administration.changeRoles(ada, adding: roles, removing: [])
    }

    private func allows(_ tokens: Tokens, _ permission: String, in scope: String? = nil) async throws -> Bool {
        try await world.engine.perform(
            CheckPermission(
                accessToken: tokens.accessToken, permission: Permission(permission),
                scope: scope.map { try PermissionScope($0) })
        ).isAllowed
    }

    private func list(_ tokens: Tokens) async throws -> [String] {
        try await world.engine.perform(ListPermissions(accessToken: tokens.accessToken)).grants.map {
            "\($0.pattern.text) \($0.scope?.text ?? "everywhere")"
        }
    }

    @Test func `an account without a role has no permission`() async throws {
        let tokens = try await world.registered().tokens
        #expect(try await list(tokens).isEmpty)
        #expect(try await !allows(tokens, "videos:read"))
    }

    @Test(
        arguments: [
            ("editor", "videos:write", nil, true), ("editor", "videos:write", "project:42", true),
            ("editor", "videos:delete", nil, false), ("editor@project:42", "videos:write", "project:42", true),
            ("editor@project:42", "videos:write", nil, false),
            ("editor@project:42", "videos:write", "project:4", false),
            ("owner@project:42", "videos:delete", "project:42", true), ("owner", "images:delete", nil, false),
            ("admin", "images:delete", "project:1", true), ("admin@project:1", "images:delete", "project:1", true),
            ("admin@project:1", "images:delete", nil, false), ("stranger", "videos:read", nil, false),
        ] as [(String, String, String?, Bool)])
    func `a role grants its permissions where it is assigned`(
        role: String, permission: String, scope: String?, isAllowed: Bool
    ) async throws {
        let tokens = try await world.registered().tokens
        try await grant(role)
        #expect(try await allows(tokens, permission, in: scope) == isAllowed)
    }

    @Test func `lists each grant once, those for every scope first`() async throws {
        let tokens = try await world.registered().tokens
        try await grant("owner@project:2", "editor", "editor@project:2", "stranger", "editor@project:1")
        #expect(
            try await list(tokens) == [
                "videos:read everywhere", "videos:write everywhere", "videos:read project:1", "videos:write project:1",
                "videos:* project:2", "videos:read project:2", "videos:write project:2",
            ])
    }

    @Test func `a change holds on the next request`() async throws {
        let tokens = try await world.registered().tokens
        try await grant("editor@project:42", "editor")
        #expect(try await allows(tokens, "videos:read"))
        _ = try await world.administration.changeRoles(ada, adding: [], removing: ["editor"])
        #expect(try await !allows(tokens, "videos:read"))
        #expect(try await allows(tokens, "videos:read", in: "project:42"))
    }

    @Test func `only an assignment for every scope is a role of the account`() async throws {
        let tokens = try await world.registered().tokens
        try await grant("admin@project:42", "editor")
        let user = try await world.engine.perform(CurrentUser(accessToken: tokens.accessToken))
        #expect(user.roles == ["editor"] && !user.isAdmin)
    }

    @Test func `a role in one scope requires no second factor`() async throws {
        let world = try World.vici { $0.secondFactor.requiredRoles = ["admin"] }
        let tokens = try await world.registered().tokens
        _ = try await world.administration.changeRoles(ada, adding: ["admin@project:42"], removing: [])
        try await world.use(tokens)
        _ = try await world.administration.changeRoles(ada, adding: ["admin"], removing: [])
        #expect(await refusal { try await world.use(tokens) } != nil)
    }

    @Test(arguments: ["", "@", "editor@", "@project", "edi tor", "editor@a b", "editor@a@b", "é"])
    func `refuses a malformed assignment`(text: String) async throws {
        try await world.registered()
        await #expect(throws: AdministrationProblem.self) { try await grant(text) }
    }

    @Test func `export and import keep assignments`() async throws {
        try await world.registered()
        try await grant("editor@project:42", "admin")
        let (records, _) = try await world.administration.exportAccounts(after: nil, limit: 10)
        #expect(records[0].roles == ["admin", "editor@project:42"])
        let other = try World.vici()
        _ = try await other.administration.importAccounts(records)
        #expect(try await other.administration.account(ada).assignments.map(\.text) == ["admin", "editor@project:42"])
    }
}
