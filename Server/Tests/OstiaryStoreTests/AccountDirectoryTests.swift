import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryStore

/// The lists that administrators search: the same in every store.
@Suite struct AccountDirectoryTests {
    /// Returns the ids of all accounts of a list, read in pages of two.
    private func ids(_ source: AccountSource, in store: any Store, app: String = "vici") async throws -> [String] {
        var ids: [String] = []
        var position: AccountPosition?
        while true {
            let page = try await store.accounts(from: source, in: .named(app), after: position, limit: 2)
            ids += page.map(\.details.account.id.text)
            guard page.count == 2 else { return ids }
            position = page.last?.position
        }
    }

    @discardableResult
    private func add(
        _ id: String, to store: any Store, app: String = "vici", createdAt: Date = noon,
        _ change: (inout NewAccount) throws -> Void = { _ in }
    ) async throws -> Account {
        var new = try NewAccount.local(app: app, email: "\(id)@example.com", id: id)
        new.createdAt = createdAt
        try change(&new)
        return try await store.add(new, spending: nil)
    }

    @Test(arguments: Backend.allCases)
    func `lists accounts by the beginning of a text, in the order of the bytes`(backend: Backend) async throws {
        try await backend.withStore { store in
            for (id, email) in [("1", "anna@x.org"), ("2", "AN_x@x.org"), ("3", "bob@x.org"), ("4", "an%x@x.org")] {
                try await add(id, to: store) { new in
                    new.email = try EmailAddress(email)
                    new.username = try Username("U-\(email)")
                    new.fullName = try PersonName("Mr \(email)")
                    new.phoneNumber = try PhoneNumber("+4915100\(id)0000")
                }
            }
            try await add("5", to: store, app: "other") { $0.email = try EmailAddress("another@x.org") }
            #expect(try await ids(.text(.email, prefix: "an"), in: store) == ["4", "2", "1"])
            #expect(try await ids(.text(.email, prefix: "an_"), in: store) == ["2"])
            #expect(try await ids(.text(.email, prefix: "an%"), in: store) == ["4"])
            #expect(try await ids(.text(.username, prefix: "u-an"), in: store) == ["4", "2", "1"])
            #expect(try await ids(.text(.fullName, prefix: "mr b"), in: store) == ["3"])
            #expect(try await ids(.text(.phoneNumber, prefix: "+491510"), in: store) == ["1", "2", "3", "4"])
            #expect(try await ids(.text(.id, prefix: "3"), in: store) == ["3"])
            #expect(try await ids(.text(.email, prefix: "\\"), in: store) == [])
        }
    }

    @Test(arguments: Backend.allCases)
    func `lists accounts of the same text once each`(backend: Backend) async throws {
        try await backend.withStore { store in
            for id in ["1", "2", "3", "4", "5"] {
                try await add(id, to: store) { $0.fullName = try PersonName("Jo") }
            }
            #expect(try await ids(.text(.fullName, prefix: "jo"), in: store) == ["1", "2", "3", "4", "5"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `lists the accounts that have a role in every scope, as roles change`(backend: Backend) async throws {
        try await backend.withStore { store in
            let roles = ["1": ["editor"], "2": ["editor@a"], "3": ["admin", "editor"], "4": []]
            for (id, texts) in roles.sorted(by: { $0.key < $1.key }) {
                try await add(id, to: store) { $0.assignments = try RoleAssignment.read(texts) }
            }
            #expect(try await ids(.role("editor"), in: store) == ["1", "3"])
            #expect(try await ids(.role("edit"), in: store) == [])
            _ = try await store.change(
                AccountID("1"), in: .named(), AccountChange(removedRoles: RoleAssignment.read(["editor"])), at: noon)
            _ = try await store.change(
                AccountID("4"), in: .named(), AccountChange(addedRoles: RoleAssignment.read(["editor", "x"])), at: noon)
            #expect(try await ids(.role("editor"), in: store) == ["3", "4"])
            _ = try await store.delete(AccountID("3"), in: .named(), credentialVersion: nil)
            #expect(try await ids(.role("editor"), in: store) == ["4"])
            #expect(try await ids(.role("admin"), in: store) == [])
        }
    }

    @Test(arguments: Backend.allCases)
    func `lists accounts by state, provider, time of creation and factor`(backend: Backend) async throws {
        try await backend.withStore { store in
            for (index, id) in ["1", "2", "3", "4"].enumerated() {
                try await add(id, to: store, createdAt: noon.after(-Double(index))) { new in
                    new.isActive = index % 2 == 0
                    if index > 1 { (new.provider, new.providerSubject) = ("google", id) }
                }
            }
            #expect(try await ids(.all, in: store) == ["1", "2", "3", "4"])
            #expect(try await ids(.disabled, in: store) == ["4", "2"])
            #expect(try await ids(.provider("google", createdAfter: nil), in: store) == ["4", "3"])
            #expect(try await ids(.provider("local", createdAfter: noon.after(-1)), in: store) == ["1"])
            #expect(try await ids(.createdAfter(noon.after(-2)), in: store) == ["2", "1"])
            let account = try #require(try await store.account(AccountID("1"), in: .named()))
            for id in ["f1", "f2"] { _ = try await store.enrol(.sample(id, of: account)) }
            #expect(try await ids(.factor(.totp), in: store) == ["1"])
            #expect(try await ids(.factor(.passkey), in: store) == [])
        }
    }

    @Test(arguments: Backend.allCases)
    func `gives details: the last change, and the kinds of the factors`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await add("1", to: store) { $0.isPhoneNumberVerified = false }
            #expect(
                try await store.details(of: account.id, in: .named())
                    == AccountDetails(account: account, updatedAt: account.createdAt))
            _ = try await store.enrol(.sample("f1", of: account, credentialID: [1]))
            _ = try await store.enrol(.sample("f2", of: account))
            _ = try await store.enrol(.sample("f3", of: account))
            _ = try await store.change(
                account.id, in: .named(), AccountChange(fullName: PersonName("Jo")), at: noon.after(7))
            let details = try #require(try await store.details(of: account.id, in: .named()))
            #expect(details.updatedAt == noon.after(7))
            #expect(details.factorKinds == [.passkey, .totp])
            #expect(details.lastSignInAt == nil)
            try await store.addSession("s1", of: details.account, at: noon.after(9))
            #expect(try await store.details(of: account.id, in: .named())?.lastSignInAt == noon.after(9))
            #expect(details.account.isPhoneNumberVerified == false)
            #expect(try await store.details(of: account.id, in: .named("other")) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `lists every session of an account, those that ended too`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            for id in ["s1", "s2", "s3"] { try await store.addSession(id, of: account) }
            try await store.addSession("t1", of: store.addAccount("ann"))
            _ = try await store.revoke(SessionID("s2"), in: .named(), Revocation(reason: .signOut, at: noon))
            let first = try await store.sessionHistory(of: account.id, in: .named(), after: nil, limit: 2)
            #expect(first.map(\.session.id.text) == ["s1", "s2"])
            #expect(first.last?.session.revocation != nil)
            let next = try await store.sessionHistory(
                of: account.id, in: .named(), after: first.last?.position, limit: 2)
            #expect(next.map(\.session.id.text) == ["s3"])
        }
    }
}
