import OstiaryCore
import OstiaryEngine
import Testing

/// A role that one active account keeps: the same in every store.
@Suite struct KeptRoleTests {
    private static let role = User.adminRole

    /// Adds an account that has the role in every scope.
    private func holder(_ name: String, in store: any Store) async throws -> Account {
        let account = try await store.addAccount(name)
        let change = AccountChange(addedRoles: [try RoleAssignment(role: Self.role)])
        return try #require(try await store.change(account.id, in: account.app, change, at: noon))
    }

    /// The ways to take the role from an account.
    enum Removal: CaseIterable {
        case losing, disabling, deleting

        func remove(_ account: Account, from store: any Store) async throws {
            switch self {
            case .losing:
                var change = AccountChange(removedRoles: [try RoleAssignment(role: KeptRoleTests.role)])
                change.keptRole = KeptRoleTests.role
                _ = try await store.change(account.id, in: account.app, change, at: noon)
            case .disabling:
                var change = AccountChange(isActive: false)
                change.keptRole = KeptRoleTests.role
                _ = try await store.change(account.id, in: account.app, change, at: noon)
            case .deleting:
                _ = try await store.delete(
                    account.id, in: account.app, credentialVersion: nil, keeping: KeptRoleTests.role)
            }
        }
    }

    @Test(arguments: Backend.allCases, Removal.allCases)
    func `the last active holder keeps the role, and others do not count`(
        backend: Backend, removal: Removal
    ) async throws {
        try await backend.withStore { store in
            let last = try await holder("ada", in: store)
            let disabled = try await holder("bob", in: store)
            _ = try await store.change(disabled.id, in: disabled.app, AccountChange(isActive: false), at: noon)
            let scoped = try await store.addAccount("carol")
            _ = try await store.change(
                scoped.id, in: scoped.app, AccountChange(addedRoles: [try RoleAssignment("\(Self.role)@project:1")]),
                at: noon)
            let other = try await store.addAccount("dan", app: "other")
            _ = try await store.change(
                other.id, in: other.app, AccountChange(addedRoles: [try RoleAssignment(role: Self.role)]), at: noon)
            await #expect(throws: StoreRefusal.lastHolder) { try await removal.remove(last, from: store) }
            #expect(try await store.account(last.id, in: last.app) == last)
        }
    }

    @Test(arguments: Backend.allCases, Removal.allCases)
    func `a holder beside another one can be removed`(backend: Backend, removal: Removal) async throws {
        try await backend.withStore { store in
            let first = try await holder("ada", in: store)
            _ = try await holder("bob", in: store)
            try await removal.remove(first, from: store)
            #expect(try await store.account(first.id, in: first.app)?.isHolder(of: Self.role) != true)
        }
    }

    @Test(arguments: Backend.allCases, Removal.allCases)
    func `an account without the role can be removed`(backend: Backend, removal: Removal) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount("ada")
            try await removal.remove(account, from: store)
        }
    }

    @Test(arguments: Backend.allCases, Removal.allCases)
    func `holders who are removed at once leave one`(backend: Backend, removal: Removal) async throws {
        try await backend.withStore { store in
            var holders: [Account] = []
            for number in 0..<6 { holders.append(try await holder("a\(number)", in: store)) }
            let refused = await withTaskGroup(of: Bool.self) { group in
                for holder in holders {
                    group.addTask {
                        do {
                            try await removal.remove(holder, from: store)
                            return false
                        } catch {
                            return true
                        }
                    }
                }
                return await group.reduce(into: 0) { count, isRefused in count += isRefused ? 1 : 0 }
            }
            var left = 0
            for holder in holders {
                let account = try await store.account(holder.id, in: holder.app)
                if account?.isHolder(of: Self.role) == true { left += 1 }
            }
            #expect((refused, left) == (1, 1))
        }
    }
}
