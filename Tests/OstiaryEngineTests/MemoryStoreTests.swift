import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

/// The calls of a store in memory that a database does not have. The conformance suite of the server's stores runs on
/// it as well.
@Suite struct MemoryStoreTests {
    private let store = MemoryStore(system: .system)
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func app(_ name: String = "sample") throws -> AppName { try AppName(name) }

    private func added(_ name: String, app: String = "sample") throws -> Account {
        let new = NewAccount(
            app: try self.app(app), idKind: .uuid, email: try EmailAddress("\(name)@example.com"),
            passwordHash: "$2b$10$hash", createdAt: now)
        return try store.add(new, spending: nil)
    }

    private func upsert(_ subject: String) throws -> ProviderAccountUpsert {
        ProviderAccountUpsert(
            app: try app(), idKind: .uuid, kind: "google",
            identity: ProviderIdentity(issuer: "https://a.example", subject: subject), at: now)
    }

    @Test func `lets a local account be found by a provider's identity and changes nothing else`() throws {
        let expected = try added("jo")
        try store.link(expected.id, in: app(), issuer: "https://a.example", subject: "s1")
        #expect(try store.account(expected.id, in: app()) == expected)
        #expect(try store.account(of: upsert("s1")).id == expected.id)
        #expect(try store.account(of: upsert("s2")).id != expected.id)
    }

    @Test func `finds an account by each of its identities until it is deleted`() throws {
        let account = try store.account(of: upsert("s1"))
        try store.link(account.id, in: app(), issuer: "https://a.example", subject: "s2")
        for subject in ["s1", "s2"] { #expect(try store.account(of: upsert(subject)).id == account.id) }
        #expect(try store.delete(account.id, in: app(), credentialVersion: nil, keeping: nil))
        #expect(try store.account(of: upsert("s2")).id != account.id)
    }

    @Test func `links no account to an identity that another one has`() throws {
        let (one, other) = (try added("jo"), try added("sam"))
        try store.link(one.id, in: app(), issuer: "https://a.example", subject: "s1")
        #expect(throws: StoreRefusal.identifierTaken) {
            try store.link(other.id, in: app(), issuer: "https://a.example", subject: "s1")
        }
        #expect(try store.account(other.id, in: app()) == other)
        try store.link(one.id, in: app(), issuer: "https://a.example", subject: "s1")
        try store.link(AccountID("none"), in: app(), issuer: "https://b.example", subject: "s1")
    }

    @Test func `refuses a password change whose reset token is not kept, and changes nothing`() throws {
        let account = try added("jo")
        let change = PasswordChange(
            app: try app(), account: account.id, hash: "$2b$10$other", spending: .resetToken(hash: [1], app: try app()),
            credentialVersion: account.credentialVersion, reason: .passwordReset, at: now)
        #expect(throws: StoreRefusal.alreadySpent) { try store.setPassword(change) }
        #expect(try store.account(account.id, in: app()) == account)
    }

    @Test func `ends the oldest session when an account has more than the limit`() throws {
        let account = try added("jo")
        for number in 0...Session.limitPerAccount {
            let time = now.addingTimeInterval(Double(number))
            let session = Session(
                id: try SessionID("s\(number)"), app: try app(), accountID: account.id, createdAt: time,
                idleSeconds: 3_600, endsAt: time.addingTimeInterval(3_600))
            #expect(try store.add(session, credentialVersion: account.credentialVersion, attachment: nil))
        }
        let ended = try ["s0", "s1"].map { try store.session(SessionID($0), in: app())?.session.revocation?.reason }
        #expect(ended == [.tooManySessions, nil])
    }

    @Test func `lists every account of an app in the order in which they were made`() throws {
        let names = (0..<300).map { "person\($0)" }
        for name in names {
            _ = try added(name)
            _ = try added(name, app: "other")
        }
        #expect(try store.accounts(in: app()).map(\.email?.text) == names.map { "\($0)@example.com" })
    }

    @Test func `is administered without waiting`() throws {
        let account = try added("jo")
        for id in ["s1", "s2"] {
            let session = Session(
                id: try SessionID(id), app: try app(), accountID: account.id, createdAt: now, idleSeconds: 60,
                endsAt: now.addingTimeInterval(60))
            #expect(try store.add(session, credentialVersion: 0, attachment: nil))
        }
        #expect(try store.sessions(of: account.id, in: app(), at: now).map(\.id.text) == ["s2", "s1"])
        let changed = try store.change(
            account.id, in: app(), AccountChange(addedRoles: try RoleAssignment.read(["admin"])), at: now)
        #expect(changed?.roles == ["admin"])
        let ended = try store.revokeAll(
            of: account.id, in: app(), keeping: nil, Revocation(reason: .endedByAdministrator, at: now))
        #expect(ended == 2)
        let change = PasswordChange(app: try app(), account: account.id, hash: "new", reason: .passwordReset, at: now)
        #expect(try store.setPassword(change))
        #expect(
            try store.account(identifiedBy: .email(EmailAddress("Jo@example.com")), in: app())?.passwordHash == "new")
        #expect(try store.delete(account.id, in: app(), credentialVersion: nil, keeping: nil))
        #expect(try store.accounts(in: app()).isEmpty)
    }

    @Test func `takes ids from the randomness it is given`() throws {
        let seeded = SystemDependencies(now: { .now }, randomBytes: { Array(repeating: 0xAB, count: $0) })
        let new = NewAccount(app: try app(), idKind: .uuid, createdAt: now)
        let id = try MemoryStore(system: seeded).add(new, spending: nil).id
        #expect(id.text == "abababab-abab-4bab-abab-abababababab")
    }

    @Test func `counts a refused attempt against no bucket`() {
        let limit = RateLimit(attempts: 1, perSeconds: 60)
        let (free, full) = (AttemptBucket(key: "free", limit: limit), AttemptBucket(key: "full", limit: limit))
        #expect(store.count([full], at: now) == nil)
        #expect(store.count([free, full], at: now) == 60)
        #expect(store.count([free], at: now) == nil)
    }
}
