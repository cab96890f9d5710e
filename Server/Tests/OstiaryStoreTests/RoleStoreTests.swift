import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct RoleStoreTests {
    private func role(_ name: String, _ permissions: String..., app: String = "vici") throws -> StoredRole {
        StoredRole(app: try .named(app), name: name, permissions: try permissions.map { try PermissionPattern($0) })
    }

    @Test(arguments: Backend.allCases)
    func `keeps roles by app and name`(backend: Backend) async throws {
        try await backend.withStore { store in
            let viewer = try role("viewer", "videos:read", "images:*")
            let other = try role("viewer", "*", app: "other")
            for role in [viewer, other] { #expect(try await store.add(role, limit: 10) == .added) }
            #expect(try await store.roles(named: ["viewer", "stranger"], in: .named()) == [viewer])
            #expect(try await store.roles(named: ["viewer"], in: .named("other")) == [other])
            #expect(try await store.roles(named: [], in: .named()).isEmpty)
            #expect(try await store.roles(named: ["viewer"], in: .named("third")).isEmpty)
        }
    }

    @Test(arguments: Backend.allCases)
    func `lists the roles of an app by name, in pages`(backend: Backend) async throws {
        try await backend.withStore { store in
            for name in ["b", "Z", "a", "c:1", "_"] { #expect(try await store.add(role(name), limit: 10) == .added) }
            _ = try await store.add(role("aa", app: "other"), limit: 10)
            #expect(
                try await store.roles(in: .named(), after: nil, limit: 9).map(\.name) == ["Z", "_", "a", "b", "c:1"])
            #expect(try await store.roles(in: .named(), after: "_", limit: 2).map(\.name) == ["a", "b"])
            #expect(try await store.roles(in: .named(), after: "c:1", limit: 2).isEmpty)
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds no role twice, and no more than the limit`(backend: Backend) async throws {
        try await backend.withStore { store in
            let added = [
                try role("a", "videos:read"), try role("a"), try role("b"), try role("c"), try role("a"),
                try role("c", app: "other"),
            ]
            var outcomes: [RoleAddition] = []
            for role in added { outcomes.append(try await store.add(role, limit: 2)) }
            #expect(outcomes == [.added, .exists, .added, .limitReached, .exists, .added])
            #expect(try await store.roles(named: ["a"], in: .named()).first?.permissions.count == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `replaces and removes the role that is there`(backend: Backend) async throws {
        try await backend.withStore { store in
            #expect(try await !store.replace(role("a", "videos:read"), from: nil))
            #expect(try await !store.removeRole("a", in: .named()))
            _ = try await store.add(role("a", "videos:read"), limit: 10)
            let changed = try role("a", "images:read", "*")
            #expect(try await store.replace(changed, from: nil))
            #expect(try await store.roles(named: ["a"], in: .named()) == [changed])
            #expect(try await !store.removeRole("a", in: .named("other")))
            #expect(try await store.removeRole("a", in: .named()))
            #expect(try await store.roles(in: .named(), after: nil, limit: 10).isEmpty)
        }
    }

    @Test(arguments: Backend.allCases)
    func `replaces no role that is not the previous one`(backend: Backend) async throws {
        try await backend.withStore { store in
            let first = try role("a", "videos:read", "videos:delete")
            let second = try role("a", "videos:read")
            let third = try role("a", "images:read")
            #expect(try await !store.replace(second, from: first))
            _ = try await store.add(first, limit: 10)
            // A repetition finds the new role.
            for _ in 0..<2 { #expect(try await store.replace(second, from: first)) }
            #expect(try await !store.replace(third, from: first))
            #expect(try await store.roles(named: ["a"], in: .named()) == [second])
            #expect(try await store.replace(third, from: second))
            #expect(try await store.replace(first, from: nil))
            #expect(try await store.roles(named: ["a"], in: .named()) == [first])
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds one of many roles of the same name`(backend: Backend) async throws {
        try await backend.withStore { store in
            let outcomes = try await inParallel(20) { number in
                try await store.add(role("a", "videos:action\(number)"), limit: 10)
            }
            #expect(outcomes.count { $0 == .added } == 1)
            #expect(outcomes.count { $0 == .exists } == 19)
        }
    }

    @Test(arguments: Backend.allCases)
    func `replaces all assignments of an account, before additions and removals`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let first = AccountChange(addedRoles: try RoleAssignment.read(["editor", "viewer@project:1"]))
            _ = try await store.change(account.id, in: .named(), first, at: noon)
            let second = AccountChange(
                addedRoles: try RoleAssignment.read(["a"]), removedRoles: try RoleAssignment.read(["b"]),
                replacedRoles: try RoleAssignment.read(["b", "c@project:2"]))
            let changed = try await store.change(account.id, in: .named(), second, at: noon)
            #expect(changed?.assignments.map(\.text) == ["a", "c@project:2"])
            let none = AccountChange(replacedRoles: [])
            #expect(try await store.change(account.id, in: .named(), none, at: noon)?.assignments.isEmpty == true)
        }
    }
}
