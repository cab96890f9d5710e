import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct AccountStoreTests {
    @Test(arguments: Backend.allCases)
    func `gives back an account as it was added`(backend: Backend) async throws {
        try await backend.withStore { store in
            let new = NewAccount(
                app: try .named(), idKind: .uuid, email: try EmailAddress("Jo@Example.com"),
                username: try Username("Jo"), phoneNumber: try PhoneNumber("+15551234567"),
                fullName: try PersonName("Jo \"Ünï\" O'Neil; DROP TABLE account"), passwordHash: "$2b$10$x",
                assignments: try RoleAssignment.read(["b", "a", "a@project:42/x"]), createdAt: noon)
            let added = try await store.add(new, spending: nil)
            let found = try #require(try await store.account(added.id, in: .named()))
            #expect(found == added)
            #expect(found.email?.text == "Jo@Example.com")
            #expect(found.username?.text == "Jo")
            #expect(found.fullName == new.fullName)
            #expect(found.roles == ["a", "b"])
            #expect(found.assignments.map(\.text) == ["a", "a@project:42/x", "b"])
            #expect(found.createdAt == noon)
            #expect(found.credentialVersion == 0)
        }
    }

    @Test(arguments: Backend.allCases)
    func `changes no account whose profile or roles are not the expected ones`(backend: Backend) async throws {
        try await backend.withStore { store in
            let attributes: [String: AttributeValue] = [
                "text": "a", "list": ["a", "b"], "number": 1.0, "integer": 1, "flag": true,
            ]
            var new = try NewAccount.local(email: "jo@x.org", phone: "+491510000001")
            new.attributes = attributes
            new.assignments = try RoleAssignment.read(["a", "b@project:1"])
            let read = try await store.add(new, spending: nil)
            func change(_ edit: (inout AccountChange) throws -> Void) async throws -> Account? {
                var change = AccountChange()
                try edit(&change)
                return try await store.change(read.id, in: read.app, change, at: noon)
            }
            // The account as it was added and as it is read have the same tags.
            let first = try #require(
                try await change {
                    $0.replacedRoles = []
                    $0.expectedRoles = EntityTag(rolesOf: read)
                    $0.expectedProfile = EntityTag(profileOf: read)
                })
            #expect(first.assignments.isEmpty)
            await #expect(throws: StoreRefusal.overtaken) {
                try await change {
                    $0.replacedRoles = try RoleAssignment.read(["a"])
                    $0.expectedRoles = EntityTag(rolesOf: read)
                }
            }
            _ = try await change {
                $0.identifiers = IdentifierChange()
                $0.identifiers?.isEmailVerified = true
            }
            await #expect(throws: StoreRefusal.overtaken) {
                try await change {
                    $0.fullName = try PersonName("Jo")
                    $0.expectedProfile = EntityTag(profileOf: read)
                }
            }
            let kept = try #require(try await store.account(read.id, in: read.app))
            #expect(kept.assignments.isEmpty && kept.fullName == nil && kept.isEmailVerified)
        }
    }

    @Test(arguments: Backend.allCases)
    func `makes one of many concurrent changes of the same roles`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let made = try await inParallel(20) { number in
                var change = AccountChange(replacedRoles: try RoleAssignment.read(["role\(number)"]))
                change.expectedRoles = EntityTag(rolesOf: account)
                do {
                    return try await store.change(account.id, in: account.app, change, at: noon) != nil
                } catch StoreRefusal.overtaken {
                    return false
                }
            }
            #expect(made.count { $0 } == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `makes lower-case UUIDs of version 4`(backend: Backend) async throws {
        try await backend.withStore { store in
            let id = try await store.addAccount().id.text
            let shape = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
            #expect(id.wholeMatch(of: shape) != nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `counts integer ids app by app`(backend: Backend) async throws {
        try await backend.withStore { store in
            var ids: [String] = []
            for (app, name) in [("vici", "a"), ("vici", "b"), ("other", "a")] {
                let new = try NewAccount.local(app: app, username: name, ids: .integer)
                ids.append(try await store.add(new, spending: nil).id.text)
            }
            #expect(ids == ["1", "2", "1"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `goes on above an integer id that was brought along`(backend: Backend) async throws {
        try await backend.withStore { store in
            let kept = try await store.add(.local(username: "old", ids: .integer, id: "41"), spending: nil)
            let lower = try await store.add(.local(username: "older", ids: .integer, id: "7"), spending: nil)
            let next = try await store.add(.local(username: "new", ids: .integer), spending: nil)
            #expect([kept, lower, next].map(\.id.text) == ["41", "7", "42"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `does not use the integer id of a deleted account again`(backend: Backend) async throws {
        try await backend.withStore { store in
            let first = try await store.add(.local(username: "a", ids: .integer), spending: nil)
            #expect(try await store.delete(first.id, in: .named(), credentialVersion: nil))
            #expect(try await store.add(.local(username: "b", ids: .integer), spending: nil).id.text == "2")
        }
    }

    @Test(arguments: Backend.allCases)
    func `keeps the apps apart`(backend: Backend) async throws {
        try await backend.withStore { store in
            let here = try await store.addAccount("jo", app: "vici")
            let there = try await store.addAccount("jo", app: "other")
            #expect(here.id != there.id)
            #expect(try await store.account(here.id, in: .named("other")) == nil)
            let email = Identifier.email(try EmailAddress("jo@example.com"))
            #expect(try await store.account(identifiedBy: email, in: .named("other")) == there)
        }
    }

    @Test(arguments: Backend.allCases)
    func `pages through accounts in the order in which they were made`(backend: Backend) async throws {
        try await backend.withStore { store in
            var names: [String] = []
            for name in ["c", "a", "e", "b", "d"] {
                names.append(try await store.addAccount(name).id.text)
                _ = try await store.addAccount(name, app: "other")
            }
            var seen: [String] = []
            var sizes: [Int] = []
            var position: Int?
            repeat {
                let (page, next) = try await store.accounts(in: .named(), after: position, limit: 2)
                seen += page.map(\.id.text)
                sizes.append(page.count)
                position = next
            } while position != nil
            #expect(seen == names)
            #expect(sizes == [2, 2, 1])
        }
    }

    @Test(arguments: Backend.allCases)
    func `changes what is named and leaves the rest`(backend: Backend) async throws {
        try await backend.withStore { store in
            let before = try await store.addAccount()
            let named = try await store.change(
                before.id, in: .named(), AccountChange(fullName: PersonName("Jo")), at: noon)
            let promoted = try await store.change(
                before.id, in: .named(), AccountChange(addedRoles: try RoleAssignment.read(["z", "admin"])), at: noon)
            var expected = before
            expected.fullName = try PersonName("Jo")
            #expect(named == expected)
            expected.assignments = try RoleAssignment.read(["admin", "z"])
            #expect(promoted == expected)
            #expect(try await store.account(before.id, in: .named()) == expected)
            #expect(try await store.change(AccountID("none"), in: .named(), AccountChange(), at: noon) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `ends the sessions of an account that is disabled`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("s1", of: account)
            let disabled = try await store.change(
                account.id, in: .named(), AccountChange(isActive: false), at: noon.after(5))
            #expect(disabled?.isActive == false)
            #expect(disabled?.credentialVersion == account.credentialVersion + 1)
            let state = try await store.state("s1")
            #expect(state?.session.revocation == Revocation(reason: .accountDisabled, at: noon.after(5)))
            let again = try await store.change(account.id, in: .named(), AccountChange(isActive: false), at: noon)
            #expect(again?.credentialVersion == account.credentialVersion + 1)
            let enabled = try await store.change(account.id, in: .named(), AccountChange(isActive: true), at: noon)
            #expect(enabled?.isActive == true)
            #expect(try await store.state("s1")?.session.revocation != nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `voids the reset tokens of an account that is disabled, and those that come until it is enabled`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let (jo, sam) = (try await store.addAccount("jo"), try await store.addAccount("sam"))
            func isValid(_ token: UInt8) async throws -> Bool {
                try await store.account(forResetToken: [token], in: .named(), at: noon) != nil
            }
            func change(_ change: AccountChange) async throws {
                _ = try await store.change(jo.id, in: jo.app, change, at: noon)
            }
            try await store.replace(with: .sample(1, of: jo, recipient: 1))
            try await store.replace(with: .sample(2, of: sam, recipient: 2))
            try await change(AccountChange(fullName: PersonName("Jo"), isActive: true))
            #expect(try await isValid(1))
            try await change(AccountChange(isActive: false))
            #expect(try await !isValid(1))
            // Of a request that had read the account before.
            try await store.replace(with: .sample(3, of: jo, recipient: 1))
            try await change(AccountChange(isActive: true))
            #expect(try await !isValid(3))
            try await store.replace(with: .sample(4, of: jo, recipient: 1))
            #expect(try await isValid(4))
            #expect(try await isValid(2))
        }
    }

    @Test(arguments: Backend.allCases)
    func `deletes the codes that a change voids with another number or state alone`(backend: Backend) async throws {
        try await backend.withStore { store in
            let jo = try await store.add(.local(email: "jo@x.org", phone: "+491510000001"), spending: nil)
            func change(_ change: AccountChange) async throws -> [Bool] {
                for recipient in [[1], [2], [3]] as [[UInt8]] {
                    try await store.replace(
                        with: PendingCode(
                            id: "c\(recipient)", app: jo.app, recipient: recipient, codeHash: [0],
                            expiresAt: noon.after(60), triesLeft: 5))
                }
                var change = change
                change.voidedCodes = [[1], [2]]
                _ = try await store.change(jo.id, in: jo.app, change, at: noon)
                var kept: [Bool] = []
                for recipient in [[1], [2], [3]] as [[UInt8]] {
                    kept.append(try await store.code(for: recipient, in: jo.app, at: noon) != nil)
                }
                return kept
            }
            let kept = AccountChange(fullName: try PersonName("Jo"), isActive: true)
            #expect(try await change(kept) == [true, true, true])
            #expect(try await change(AccountChange(isActive: false)) == [false, false, true])
            #expect(try await change(AccountChange(isActive: true)) == [false, false, true])
            var renamed = AccountChange()
            var identifiers = IdentifierChange()
            identifiers.phoneNumber = .removed
            renamed.identifiers = identifiers
            #expect(try await change(renamed) == [false, false, true])
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds the record that voids sent links with another address or state alone, and keeps the latest`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let jo = try await store.add(.local(email: "jo@x.org", phone: "+491510000001"), spending: nil)
            let record = SingleUseRecord(
                app: jo.app, kind: .voidedLinks, hash: [1], payload: [1], expiresAt: noon.after(60))
            func found() async throws -> SingleUseRecord? {
                try await store.singleUseRecord(record.kind, record.hash, in: jo.app, at: noon)
            }
            func change(_ change: AccountChange, _ record: SingleUseRecord) async throws {
                var change = change
                change.voidedLinks = record
                _ = try await store.change(jo.id, in: jo.app, change, at: noon)
            }
            func identifiers(_ edit: (inout IdentifierChange) throws -> Void) throws -> AccountChange {
                var change = AccountChange()
                var identifiers = IdentifierChange()
                try edit(&identifiers)
                change.identifiers = identifiers
                return change
            }
            let same = try identifiers { $0.email = .replaced(try EmailAddress("jo@x.org")) }
            let name = try identifiers { $0.username = .replaced(try Username("jo")) }
            for kept in [AccountChange(fullName: try PersonName("Jo"), isActive: true), same, name] {
                try await change(kept, record)
                #expect(try await found() == nil)
            }
            try await change(try identifiers { $0.email = .replaced(try EmailAddress("j@x.org")) }, record)
            #expect(try await found() == record)
            var later = record
            (later.payload, later.expiresAt) = ([2], noon.after(61))
            try await change(try identifiers { $0.phoneNumber = .removed }, later)
            #expect(try await found() == later)
            // Of a node whose clock is behind.
            try await change(AccountChange(isActive: false), record)
            #expect(try await found() == later)
            (later.payload, later.expiresAt) = ([3], noon.after(62))
            try await change(AccountChange(isActive: true), later)
            #expect(try await found() == later)
        }
    }

    @Test(arguments: Backend.allCases)
    func `deletes an account with everything that is its own`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("s1", of: account)
            _ = try await store.rotate("s1", from: 0, at: noon.after(1))
            try await store.replace(with: .sample(9, of: account))
            #expect(try await store.state("s1") != nil)
            #expect(try await store.delete(account.id, in: .named(), credentialVersion: nil))
            #expect(try await store.state("s1") == nil)
            #expect(try await store.account(forResetToken: [9], in: .named(), at: noon) == nil)
            #expect(try await store.delete(account.id, in: .named(), credentialVersion: nil) == false)
            _ = try await store.addAccount()
        }
    }

    @Test(arguments: Backend.allCases)
    func `knows the costliest hash of an app`(backend: Backend) async throws {
        try await backend.withStore { store in
            #expect(try await store.costliestHash(in: .named()) == nil)
            for (number, cost) in ["10", "12", "05"].enumerated() {
                var new = try NewAccount(app: .named(), idKind: .uuid, createdAt: noon)
                new.username = try Username("person\(number)")
                new.passwordHash = "$2b$\(cost)$hash"
                _ = try await store.add(new, spending: nil)
            }
            #expect(try await store.costliestHash(in: .named()) == "$2b$12$hash")
            #expect(try await store.costliestHash(in: .named("other")) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds and removes roles without knowing the others`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let changes = [
                AccountChange(addedRoles: try RoleAssignment.read(["admin", "editor"])),
                AccountChange(removedRoles: try RoleAssignment.read(["admin", "unknown"])),
                AccountChange(
                    addedRoles: try RoleAssignment.read(["editor", "author", "admin@project:42", "author@a"])),
                AccountChange(removedRoles: try RoleAssignment.read(["author@a", "editor@a"])),
            ]
            for change in changes { _ = try await store.change(account.id, in: .named(), change, at: noon) }
            let changed = try await store.account(account.id, in: .named())
            #expect(changed?.roles == ["author", "editor"])
            #expect(changed?.assignments.map(\.text) == ["admin@project:42", "author", "editor"])
        }
    }
}
