import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct PasswordTests {
    @Test(arguments: Backend.allCases)
    func `sets a password and ends all sessions but the one kept`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            for id in ["s1", "s2", "s3"] { try await store.addSession(id, of: account) }
            let isSet = try await store.setPassword(
                PasswordChange(
                    app: .named(), account: account.id, hash: "new", reason: .passwordChanged, keeping: SessionID("s2"),
                    at: noon.after(1)))
            #expect(isSet)
            let after = try #require(try await store.account(account.id, in: .named()))
            #expect(after.passwordHash == "new")
            #expect(after.credentialVersion == account.credentialVersion + 1)
            let alive = try await store.sessions(of: account.id, in: .named(), at: noon.after(2))
            #expect(alive.map(\.id.text) == ["s2"])
            #expect(try await store.state("s1")?.session.revocation?.reason == .passwordChanged)
        }
    }

    @Test(arguments: Backend.allCases)
    func `ends the access to an account without a password, once for a credential version`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let account = try await store.add(.social(subject: "s"), spending: nil)
            try await store.addSession("s1", of: account)
            let device = RecognizedDevice(
                id: try DeviceID("d1"), app: account.app, accountID: account.id, hash: [1], createdAt: noon)
            #expect(try await store.add(device, credentialVersion: account.credentialVersion))
            let ending = PasswordChange(
                app: account.app, account: account.id, hash: nil, credentialVersion: account.credentialVersion,
                reason: .deniedByOwner, at: noon.after(1))
            #expect(try await store.setPassword(ending))
            var expected = account
            expected.credentialVersion += 1
            #expect(try await store.account(account.id, in: account.app) == expected)
            #expect(
                try await store.state("s1")?.session.revocation
                    == Revocation(reason: .deniedByOwner, at: noon.after(1)))
            #expect(try await store.devices(of: account.id, in: account.app, at: noon).isEmpty)
            #expect(try await !store.setPassword(ending))
            #expect(try await store.account(account.id, in: account.app) == expected)
        }
    }

    @Test(arguments: Backend.allCases)
    func `voids the account's reset tokens when a password is set`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.replace(with: .sample(1, of: account, recipient: 1))
            try await store.replace(with: .sample(2, of: account, recipient: 2))
            _ = try await store.setPassword(
                PasswordChange(app: .named(), account: account.id, hash: "n", reason: .passwordChanged, at: noon))
            #expect(try await store.account(forResetToken: [1], in: .named(), at: noon) == nil)
            #expect(try await store.account(forResetToken: [2], in: .named(), at: noon) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `keeps the channel of a reset until it is forgotten, or the password changes otherwise`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let other = try await store.addAccount("other")
            try await store.replace(with: .sample(1, of: account))
            try await store.replace(with: .sample("c1"))
            func set(_ secret: SingleUseSecret?) async throws -> PasswordResetChannel? {
                _ = try await store.setPassword(
                    PasswordChange(
                        app: .named(), account: account.id, hash: "n", spending: secret, reason: .passwordReset,
                        at: noon))
                return try await store.account(account.id, in: .named())?.passwordResetChannel
            }
            #expect(try await set(.resetToken(hash: [1], app: .named())) == .email)
            try await store.forgetPasswordReset(
                of: other.id, in: .named(), credentialVersion: other.credentialVersion, provingEmail: true)
            #expect(try await store.account(account.id, in: .named())?.passwordResetChannel == .email)
            try await store.forgetPasswordReset(
                of: account.id, in: .named(), credentialVersion: account.credentialVersion + 1, provingEmail: false)
            #expect(try await store.account(account.id, in: .named())?.passwordResetChannel == nil)
            #expect(try await set(.code(id: "c1", app: .named())) == .sms)
            #expect(try await set(nil) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a reset by mail proves the address of an account without factors, or once a factor was shown`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let (jo, sam) = (try await store.addAccount("jo"), try await store.addAccount("sam"))
            _ = try await store.enrol(.sample("f1", of: sam))
            func isVerified(_ account: Account) async throws -> Bool? {
                try await store.account(account.id, in: .named())?.isEmailVerified
            }
            for (number, account) in [(UInt8(1), jo), (2, sam)] {
                try await store.replace(with: .sample(number, of: account, recipient: number))
                let change = PasswordChange(
                    app: try .named(), account: account.id, hash: "n",
                    spending: .resetToken(hash: [number], app: try .named()), reason: .passwordReset, at: noon)
                #expect(try await store.setPassword(change))
            }
            #expect(try await isVerified(jo) == true)
            #expect(try await isVerified(sam) == false)
            try await store.forgetPasswordReset(
                of: sam.id, in: .named(), credentialVersion: sam.credentialVersion + 1, provingEmail: true)
            #expect(try await isVerified(sam) == true)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a factor shown without the password of a reset proves no address`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            _ = try await store.enrol(.sample("f1", of: account))
            // Nothing to prove without a reset.
            try await store.forgetPasswordReset(
                of: account.id, in: .named(), credentialVersion: account.credentialVersion, provingEmail: true)
            try await store.replace(with: .sample(1, of: account))
            _ = try await store.setPassword(
                PasswordChange(
                    app: .named(), account: account.id, hash: "n", spending: .resetToken(hash: [1], app: .named()),
                    reason: .passwordReset, at: noon))
            for isProof in [false, true] {
                try await store.forgetPasswordReset(
                    of: account.id, in: .named(), credentialVersion: account.credentialVersion + 1,
                    provingEmail: isProof)
            }
            #expect(try await store.account(account.id, in: .named())?.isEmailVerified == false)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a factor shown before another reset neither proves the address nor ends the limits of that reset`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            _ = try await store.enrol(.sample("f1", of: account))
            try await store.replace(with: .sample(1, of: account))
            _ = try await store.setPassword(
                PasswordChange(
                    app: .named(), account: account.id, hash: "n", spending: .resetToken(hash: [1], app: .named()),
                    reason: .passwordReset, at: noon))
            try await store.forgetPasswordReset(
                of: account.id, in: .named(), credentialVersion: account.credentialVersion, provingEmail: true)
            let after = try await store.account(account.id, in: .named())
            #expect(after?.passwordResetChannel == .email && after?.isEmailVerified == false)
        }
    }

    @Test(arguments: Backend.allCases)
    func `queues the notice with the password, and only then`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            func change(_ notice: String, ifCredentialsAre version: Int) throws -> PasswordChange {
                PasswordChange(
                    app: try .named(), account: account.id, hash: notice, credentialVersion: version,
                    reason: .passwordChanged, notice: try .sample(notice), at: noon)
            }
            var changed: [Bool] = []
            for (notice, version) in [("one", 0), ("two", 0), ("three", 1)] {
                changed.append(try await store.setPassword(change(notice, ifCredentialsAre: version)))
            }
            #expect(changed == [true, false, true])
            let queued = try await store.claim(at: noon, until: noon.after(60), limit: 9)
            #expect(queued.map(\.id) == ["one", "three"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `changes nothing when the secret was spent`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("s1", of: account)
            await #expect(throws: StoreRefusal.alreadySpent) {
                try await store.setPassword(
                    PasswordChange(
                        app: .named(), account: account.id, hash: "new",
                        spending: .resetToken(hash: [1], app: .named()),
                        reason: .passwordReset, at: noon))
            }
            #expect(try await store.account(account.id, in: .named()) == account)
            #expect(try await store.state("s1")?.session.revocation == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `spends nothing for an account that is gone`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.replace(with: .sample("c1"))
            let isSet = try await store.setPassword(
                PasswordChange(
                    app: .named(), account: AccountID("gone"), hash: "x", spending: .code(id: "c1", app: .named()),
                    reason: .passwordReset, at: noon))
            #expect(!isSet)
            #expect(try await store.takeTry(recipient: [1], id: "c1", in: .named(), at: noon) != nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `lets one of fifty parallel uses of a reset token win`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.replace(with: .sample(5, of: account))
            let won = try await inParallel(50) { index in
                do {
                    return try await store.setPassword(
                        PasswordChange(
                            app: .named(), account: account.id, hash: "hash \(index)",
                            spending: .resetToken(hash: [5], app: .named()), reason: .passwordReset, at: noon))
                        ? index : nil
                } catch StoreRefusal.alreadySpent { return nil }
            }.compactMap { $0 }
            #expect(won.count == 1)
            #expect(try await store.account(account.id, in: .named())?.passwordHash == won.first.map { "hash \($0)" })
        }
    }

    @Test(arguments: Backend.allCases)
    func `lets one of fifty parallel registrations with one code win`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.replace(with: .sample("c1"))
            let won = try await inParallel(50) { index in
                do {
                    return try await store.add(
                        .local(username: "user\(index)"), spending: .code(id: "c1", app: .named())) as Account?
                } catch StoreRefusal.alreadySpent { return nil }
            }.compactMap { $0 }
            #expect(won.count == 1)
            #expect(try await store.accounts(in: .named(), after: nil, limit: 100).page == won)
        }
    }

    @Test(arguments: Backend.allCases)
    func `lets one of fifty parallel registrations of an email win`(backend: Backend) async throws {
        try await backend.withStore { store in
            let won = try await inParallel(50) { index in
                do {
                    let email = index.isMultiple(of: 2) ? "jo@example.com" : "JO@Example.com"
                    return try await store.add(.local(email: email), spending: nil) as Account?
                } catch StoreRefusal.identifierTaken { return nil }
            }.compactMap { $0 }
            #expect(won.count == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `leaves the code unspent when the identifier is taken`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try await store.addAccount("jo")
            try await store.replace(with: .sample("c1"))
            await #expect(throws: StoreRefusal.identifierTaken) {
                try await store.add(.local(email: "jo@example.com"), spending: .code(id: "c1", app: .named()))
            }
            _ = try await store.add(.local(email: "other@example.com"), spending: .code(id: "c1", app: .named()))
        }
    }

    @Test(arguments: Backend.allCases)
    func `upgrades a hash only from the one that was checked`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.upgradePasswordHash(of: account.id, in: .named(), from: "another", to: "costly")
            #expect(try await store.account(account.id, in: .named()) == account)
            try await store.upgradePasswordHash(of: account.id, in: .named(), from: "$2b$10$hash", to: "costly")
            let after = try await store.account(account.id, in: .named())
            #expect(after?.passwordHash == "costly")
            #expect(after?.credentialVersion == account.credentialVersion)
        }
    }
}
