import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

/// The identifiers by which every store finds an account.
@Suite struct AccountIdentifierTests {
    @Test(arguments: Backend.allCases)
    func `PT-11: finds a username in its exact spelling before its canonical form`(backend: Backend) async throws {
        try await backend.withStore { store in
            let first = try await store.add(.local(username: "Hans"), spending: nil)
            var new = try NewAccount.local(username: "hans ")
            await #expect(throws: StoreRefusal.identifierTaken) { try await store.add(new, spending: nil) }
            (new.usernameUse, new.keepsSpelling) = (.exactSpelling, true)
            let second = try await store.add(new, spending: nil)
            await #expect(throws: StoreRefusal.identifierTaken) { try await store.add(new, spending: nil) }
            #expect(second.username?.verbatim == "hans ")
            for (name, account) in [("hans ", second), ("hans", first), ("Hans", first), ("HANS ", first)] {
                let found = try await store.account(identifiedBy: .username(Username(name)), in: .named())
                #expect(found?.id == account.id, "\(name)")
            }
            let isDeleted = try await store.delete(first.id, in: .named(), credentialVersion: nil)
            #expect(isDeleted)
            await #expect(throws: StoreRefusal.identifierTaken) {
                try await store.add(.local(username: "hans "), spending: nil)
            }
            #expect(try await store.account(identifiedBy: .username(Username("hans")), in: .named()) == nil)
            _ = try await store.add(.local(username: "hans"), spending: nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `PT-10: finds accounts by what they show, whether it signs in or not`(backend: Backend) async throws {
        try await backend.withStore { store in
            var label = try NewAccount.social(subject: "s1", username: "Jo", email: "Jo@Example.com")
            label.usernameUse = .label
            let one = try await store.add(label, spending: nil)
            label.providerSubject = "s2"
            let two = try await store.add(label, spending: nil)
            let local = try await store.addAccount("jo")
            _ = try await store.addAccount("jo", app: "other")
            _ = try await store.addAccount("joanna")
            func ids(_ name: String, limit: Int = 10) async throws -> [AccountID] {
                try await store.accounts(labelled: name, in: .named(), limit: limit).map(\.id)
            }
            #expect(try await ids("jo") == [one.id, two.id])
            #expect(try await ids("jo@example.com") == [one.id, two.id, local.id])
            #expect(try await ids("jo@example.com", limit: 2) == [one.id, two.id])
            #expect(try await ids("j%") == [])
            #expect(try await store.account(identifiedBy: .username(Username("jo")), in: .named()) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `refuses what another account of the app has`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try await store.add(
                .local(email: "jo@example.com", username: "jo", phone: "+15551234567", id: "one"), spending: nil)
            _ = try await store.add(.social(subject: "google|1"), spending: nil)
            let taken: [NewAccount] = try [
                .local(username: "x", id: "one"), .local(email: "JO@example.com"), .local(username: "JO"),
                .local(phone: "+1 555 123 4567"), .social(subject: "google|1"),
                .local(username: "jo@EXAMPLE.com"), .local(email: "a@example.com", username: "jo@example.com"),
                .social(subject: "google|2", username: "jo@example.com"),
            ]
            for new in taken {
                await #expect(throws: StoreRefusal.identifierTaken) { try await store.add(new, spending: nil) }
            }
            #expect(try await store.accounts(in: .named(), after: nil, limit: 10).page.count == 2)
        }
    }

    @Test(arguments: Backend.allCases)
    func `refuses an email that is another account's username`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try await store.add(.local(username: "jo@example.com"), spending: nil)
            await #expect(throws: StoreRefusal.identifierTaken) {
                try await store.add(.local(email: "jo@example.com", username: "other"), spending: nil)
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func `lets one account have its email as its username`(backend: Backend) async throws {
        try await backend.withStore { store in
            let both = try await store.add(.local(email: "jo@example.com", username: "jo@example.com"), spending: nil)
            #expect(try await store.account(identifiedBy: .username(Username("jo@example.com")), in: .named()) == both)
        }
    }

    @Test(arguments: Backend.allCases)
    func `lets people from a provider share an email with a local account`(backend: Backend) async throws {
        try await backend.withStore { store in
            let local = try await store.addAccount("jo")
            _ = try await store.add(.social(subject: "a|1", username: "a|1", email: "jo@example.com"), spending: nil)
            _ = try await store.add(.social(subject: "a|2", username: "a|2", email: "jo@example.com"), spending: nil)
            let found = try await store.account(identifiedBy: .email(EmailAddress("jo@example.com")), in: .named())
            #expect(found == local)
        }
    }

    @Test(arguments: Backend.allCases)
    func `finds accounts by every identifier`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.add(
                .local(email: "jo@example.com", username: "jo", phone: "+15551234567"), spending: nil)
            let found: [Identifier] = try [
                .email(EmailAddress("Jo@Example.COM")), .username(Username("JO")),
                .username(Username("jo@example.com")), .phoneNumber(PhoneNumber("+15551234567")),
            ]
            for identifier in found {
                #expect(try await store.account(identifiedBy: identifier, in: .named()) == account)
            }
            let unknown: [Identifier] = try [
                .email(EmailAddress("j_@example.com")), .username(Username("%")), .username(Username("' OR 1=1 --")),
                .username(Username("+15551234567")), .phoneNumber(PhoneNumber("+15551234568")),
            ]
            for identifier in unknown {
                #expect(try await store.account(identifiedBy: identifier, in: .named()) == nil)
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func `does not take a username for an email`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try await store.add(.local(username: "jo@example.com"), spending: nil)
            let email = Identifier.email(try EmailAddress("jo@example.com"))
            #expect(try await store.account(identifiedBy: email, in: .named()) == nil)
        }
    }
}
