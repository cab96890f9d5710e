import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct ProviderAccountTests {
    private func upsert(
        issuer: String = "https://a.example", subject: String = "s1", email: String? = "jo@example.com",
        verified: Bool = true, name: String? = "Jo", usernames: [String] = [],
        preferred: String? = nil, unique: Bool = true, hash: String? = nil, signsIn: Bool = true, claims: Bool = true
    ) throws -> ProviderAccountUpsert {
        ProviderAccountUpsert(
            app: try .named(), idKind: .integer, kind: "auth0",
            identity: ProviderIdentity(
                issuer: issuer, subject: subject, email: try email.map { try EmailAddress($0) },
                isEmailVerified: verified, preferredUsername: preferred, fullName: try name.map { try PersonName($0) }),
            usernames: try usernames.map { try Username($0) }, hasUniqueUsernames: unique, passwordHash: hash,
            signsInByEmail: signsIn, claimsImported: claims, at: noon)
    }

    @Test(arguments: Backend.allCases) func `RC-06 makes one account of twenty first sign-ins at once`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let ids = try await inParallel(20) { _ in
                try await store.account(of: upsert(usernames: ["jo@example.com", "s1"])).id
            }
            #expect(Set(ids).count == 1)
            #expect(try await store.accounts(in: .named(), after: nil, limit: 10).page.count == 1)
        }
    }

    @Test(arguments: Backend.allCases) func `OA-25 tells people apart by issuer and subject and never by email`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let local = try await store.addAccount("jo")
            let one = try await store.account(of: upsert())
            let other = try await store.account(of: upsert(subject: "s2"))
            let elsewhere = try await store.account(of: upsert(issuer: "https://b.example"))
            #expect(Set([local.id, one.id, other.id, elsewhere.id]).count == 4)
            #expect(try await store.account(of: upsert()).id == one.id)
        }
    }

    @Test(arguments: Backend.allCases) func `says whether a person has an account already`(backend: Backend)
        async throws
    {
        try await backend.withStore { store in
            #expect(try await !store.hasAccount(of: upsert()))
            _ = try await store.account(of: upsert())
            #expect(try await store.hasAccount(of: upsert(name: "Joanna")))
            #expect(try await !store.hasAccount(of: upsert(issuer: "https://b.example")))
            #expect(try await !store.hasAccount(of: upsert(subject: "s2")))
            _ = try await store.add(.social(subject: "s2"), spending: nil)
            #expect(try await store.hasAccount(of: upsert(subject: "s2")))
            #expect(try await !store.hasAccount(of: upsert(subject: "s2", claims: false)))
        }
    }

    /// The two spellings are one string to Swift and two to an identity provider.
    @Test(arguments: Backend.allCases) func `OA-26 compares subjects byte by byte`(backend: Backend) async throws {
        try await backend.withStore { store in
            let composed = try await store.account(of: upsert(subject: "caf\u{E9}"))
            let decomposed = try await store.account(of: upsert(subject: "cafe\u{301}"))
            #expect(composed.id != decomposed.id)
        }
    }

    @Test(arguments: Backend.allCases) func `gives a new account the first username that is free`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            _ = try await store.addAccount("jo")
            let account = try await store.account(of: upsert(usernames: ["JO@example.com", "auth0|s1"]))
            #expect(account.username?.text == "auth0|s1")
            await #expect(throws: StoreRefusal.identifierTaken) {
                try await store.account(of: upsert(subject: "s2", usernames: ["jo@example.com"]))
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func `lets two accounts share a username that is a label and follows the provider`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let one = try await store.account(of: upsert(usernames: ["jo"], unique: false))
            let two = try await store.account(of: upsert(subject: "s2", usernames: ["jo"], unique: false))
            #expect(one.username?.text == "jo" && two.username?.text == "jo")
            let renamed = try await store.account(
                of: upsert(usernames: ["joanna"], preferred: "joanna", unique: false))
            #expect(renamed.id == one.id && renamed.username?.text == "joanna")
        }
    }

    /// An account's former username and email, the provider's current values, and the expected result.
    @Test(arguments: [
        ("jo", "new@example.com", "joanna", "joanna"), ("jo", "new@example.com", nil, "jo"),
        ("JO@example.com", "new@example.com", nil, "new@example.com"), ("jo@example.com", nil, nil, "jo@example.com"),
        ("s1", "jo@example.com", nil, "s1"), ("jo", "new@example.com", "a\nb", "jo"),
    ])
    func `renames somebody only to what the provider prefers, or from one email to the next`(
        name: String, email: String?, preferred: String?, expected: String
    ) async throws {
        for backend in [Backend.memory, .sqliteMemory] {
            try await backend.withStore { store in
                _ = try await store.account(of: upsert(usernames: [name], unique: false))
                let said = try await store.account(
                    of: upsert(email: email, usernames: [email ?? "s1"], preferred: preferred, unique: false))
                #expect(said.username?.text == expected)
            }
        }
    }

    @Test(arguments: Backend.allCases) func `lets labels follow the provider and keeps what it does not say`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            _ = try await store.account(of: upsert())
            let changed = try await store.account(
                of: upsert(email: "new@example.com", verified: false, name: "Joanna"))
            #expect(changed.email?.text == "new@example.com" && !changed.isEmailVerified)
            #expect(changed.fullName?.text == "Joanna")
            let silent = try await store.account(of: upsert(email: nil, name: nil))
            #expect(silent.email == changed.email && silent.fullName == changed.fullName)
        }
    }

    @Test(arguments: Backend.allCases) func `gives an imported account to the first sign-in of its kind and subject`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let imported = try await store.add(.social(subject: "auth0|7", username: "jo"), spending: nil)
            let claimed = try await store.account(of: upsert(subject: "auth0|7"))
            #expect(claimed.id == imported.id && claimed.providerIssuer == "https://a.example")
            #expect(claimed.username?.text == "jo")
            let later = try await store.add(.social(subject: "auth0|8", username: "jim"), spending: nil)
            #expect(try await store.account(of: upsert(subject: "auth0|8", claims: false)).id != later.id)
            let stranger = try await store.account(of: upsert(issuer: "https://b.example", subject: "auth0|7"))
            #expect(stranger.id != imported.id)
        }
    }

    @Test(arguments: Backend.allCases) func `lets an email sign in once its password was brought here`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let email = Identifier.email(try EmailAddress("jo@example.com"))
            _ = try await store.account(of: upsert())
            #expect(try await store.account(identifiedBy: email, in: .named()) == nil)
            _ = try await store.account(of: upsert(hash: "$2b$10$old", signsIn: false))
            #expect(try await store.account(identifiedBy: email, in: .named()) == nil)
            #expect(try await store.account(of: upsert()).passwordHash == "$2b$10$old")
            _ = try await store.account(of: upsert(hash: "$2b$10$new"))
            let found = try #require(try await store.account(identifiedBy: email, in: .named()))
            #expect(found.passwordHash == "$2b$10$new" && found.provider == "auth0")
            _ = try await store.account(of: upsert(email: "new@example.com", hash: "$2b$10$new"))
            #expect(try await store.account(identifiedBy: email, in: .named()) == nil)
        }
    }

    @Test(arguments: Backend.allCases) func `keeps no address from its owner`(backend: Backend) async throws {
        try await backend.withStore { store in
            let social = try await store.account(of: upsert(usernames: ["jo@example.com"]))
            let local = try await store.add(.local(email: "jo@example.com", username: "jo"), spending: nil)
            let email = Identifier.email(try EmailAddress("jo@example.com"))
            #expect(local.id != social.id)
            #expect(try await store.account(identifiedBy: email, in: .named())?.id == local.id)
            #expect(try await store.account(of: upsert()).id == social.id)
            await #expect(throws: StoreRefusal.identifierTaken) {
                try await store.add(.local(username: "jo@example.com"), spending: nil)
            }
        }
    }

    @Test(arguments: Backend.allCases) func `believes the device about a new account's name`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            var first = try upsert(name: nil)
            first.newName = try PersonName("Told Once")
            #expect(try await store.account(of: first).fullName?.text == "Told Once")
            first.newName = try PersonName("Told Again")
            #expect(try await store.account(of: first).fullName?.text == "Told Once")
        }
    }

    @Test(arguments: Backend.allCases) func `takes nobody's email for a password brought here`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let local = try await store.addAccount("jo")
            _ = try await store.account(of: upsert(hash: "$2b$10$new"))
            let email = Identifier.email(try EmailAddress("jo@example.com"))
            #expect(try await store.account(identifiedBy: email, in: .named())?.id == local.id)
        }
    }
}
