import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct AccountAdministrationTests {
    let world: World
    var administration: Administration { world.administration }

    init() throws { world = try World.vici() }

    func creation(_ change: (inout AccountCreation) -> Void = { _ in }) -> AccountCreation {
        var new = AccountCreation()
        new.email = ada
        change(&new)
        return new
    }

    func problem(_ body: () async throws -> some Any) async -> AdministrationProblem? {
        await #expect(throws: AdministrationProblem.self) { _ = try await body() }
    }

    func update(_ id: AccountID, _ change: (inout AccountUpdate) -> Void) async throws -> AccountDetails {
        var update = AccountUpdate()
        change(&update)
        return try await administration.update(id, update)
    }

    // MARK: Creation

    @Test func `creates an account with everything that is stated`() async throws {
        let details = try await administration.create(
            creation { new in
                new.username = " Ada "
                new.phoneNumber = "+1 555 123 4567"
                new.fullName = "Ada Lovelace"
                (new.isEmailVerified, new.isPhoneNumberVerified) = (true, false)
                new.password = Secret(goodPassword)
            })
        let account = details.account
        #expect(account.isEmailVerified && account.isPhoneNumberVerified == false && account.isActive)
        #expect(account.username?.text == "Ada" && account.phoneNumber?.e164 == "+15551234567")
        #expect(details.updatedAt == account.createdAt && details.lastSignInAt == nil)
        _ = try await world.signIn()
        #expect(try await administration.details(of: account.id).lastSignInAt == world.clock.now.asStored)
    }

    @Test func `creates an account with the hash of another system`() async throws {
        _ = try await administration.create(creation { $0.passwordHash = Secret("current:\(goodPassword)") })
        _ = try await world.signIn()
    }

    @Test func `names the field of an account that is not acceptable`() async throws {
        _ = try await administration.create(creation { $0.phoneNumber = "+15551234567" })
        let cases: [(String, String, @Sendable (inout AccountCreation) -> Void)] = [
            ("/email", "malformed", { $0.email = "ada" }), ("/email", "malformed", { $0.email = "b\u{3164}@x.org" }),
            ("/email", "malformed", { $0.email = "b@ｘ.org" }), ("/email", "malformed", { $0.email = "b@192.0.2.1" }),
            ("/username", "malformed", { ($0.email, $0.username) = ("b@x.org", "b\u{FE0F}") }),
            ("/email", "identifier_taken", { $0.email = "ADA@example.com" }),
            (
                "/username", "identifier_taken",
                {
                    $0.email = nil; $0.username = ada
                }
            ),
            (
                "/phone_number", "identifier_taken",
                {
                    $0.email = nil; $0.phoneNumber = "+15551234567"
                }
            ),
            ("/phone_number", "malformed", { $0.phoneNumber = "555" }),
            ("/full_name", "malformed", { $0.fullName = "a\nb" }),
            (
                "/email_verified", "not_supported",
                {
                    $0.email = nil; $0.username = "a"; $0.isEmailVerified = true
                }
            ),
            ("/phone_number_verified", "not_supported", { $0.isPhoneNumberVerified = true }),
            (
                "/password", "too_short",
                {
                    $0.email = "b@x.org"; $0.password = Secret("short")
                }
            ),
            ("/password_hash", "not_supported", { $0.passwordHash = Secret("plain") }),
            (
                "/password_hash", "not_supported",
                {
                    $0.password = Secret(goodPassword); $0.passwordHash = Secret("current:x")
                }
            ),
            (
                "/invite", "no_email",
                {
                    $0.email = nil; $0.username = "a"; $0.invites = true
                }
            ),
            (
                "/invite", "has_credentials",
                {
                    $0.email = "b@x.org"; $0.password = Secret(goodPassword); $0.invites = true
                }
            ),
            (
                "/invite", "account_disabled",
                {
                    $0.isActive = false; $0.invites = true
                }
            ),
        ]
        for (pointer, code, change) in cases {
            let problem = await problem { try await administration.create(creation(change)) }
            #expect(problem?.pointer == pointer && problem?.code == code, "\(pointer) \(code)")
            #expect(problem?.reason == (code == "identifier_taken" ? .conflict : .invalid))
        }
        #expect(try await world.store.accounts(in: world.engine.app.name, after: nil, limit: 10).page.count == 1)
    }

    @Test func `an invited owner sets the first password, which proves the address`() async throws {
        let details = try await administration.create(creation { $0.invites = true })
        let message = try #require(world.notificationSealer.messages.last)
        guard case .invitation(let token, let seconds) = message.notice else {
            Issue.record("no invitation: \(message.notice)")
            return
        }
        let recipient = Recipient.email(try EmailAddress(ada))
        #expect(seconds == 7 * 86_400 && message.recipient == recipient)
        #expect(world.notificationSealer.queuedWhenWoken.last == 1)
        world.clock.advance(by: .seconds(seconds - 1))
        _ = try await world.engine.perform(ResetPassword(proof: .token(token), password: Secret(goodPassword)))
        _ = try await world.signIn()
        #expect(try await administration.account(details.account.id).isEmailVerified)
        let again = await problem { try await administration.invite(details.account.id) }
        #expect(again?.code == "has_credentials" && again?.reason == .conflict)
    }

    @Test func `creates no account whose invitation cannot be queued`() async throws {
        world.notificationSealer.setFull(true)
        await #expect(throws: AuthError.busy(retryAfterSeconds: 30)) {
            try await administration.create(creation { $0.invites = true })
        }
        #expect(try await world.account() == nil)
    }

    @Test func `sets no password where another system verifies them`() async throws {
        let world = try World.timetracker(IdentitySources())
        for (field, change) in [
            ("/password", { $0.password = Secret(goodPassword) }), ("/invite", { $0.invites = true }),
        ] as [(String, (inout AccountCreation) -> Void)] {
            let problem = await problem { try await world.administration.create(creation(change)) }
            #expect(problem?.pointer == field && problem?.code == "not_supported")
        }
    }

    // MARK: Messages

    @Test func `sends a password reset, and not again at once`() async throws {
        let id = try await administration.create(creation { $0.password = Secret(goodPassword) }).account.id
        try await administration.sendPasswordReset(to: id)
        guard case .passwordReset(let token, _) = world.notificationSealer.messages.last?.notice else {
            Issue.record("no reset")
            return
        }
        let again = await problem { try await administration.sendPasswordReset(to: id) }
        #expect(again?.reason == .busy && (again?.retryAfterSeconds ?? 0) > 0)
        _ = try await world.engine.perform(ResetPassword(proof: .token(token), password: Secret(otherPassword)))
        _ = try await world.signIn(password: otherPassword)
    }

    @Test func `sends nothing to an account that it could not help`() async throws {
        let unnamed = try await administration.create(creation { ($0.email, $0.username) = (nil, "ada") }).account.id
        let disabled = try await administration.create(creation { $0.isActive = false }).account.id
        for id in [unnamed, disabled] {
            for code in [
                await problem { try await administration.sendPasswordReset(to: id) }?.code,
                await problem { try await administration.invite(id) }?.code,
            ] {
                #expect(code == (id == unnamed ? "no_email" : "account_disabled"))
            }
        }
        #expect(world.notificationSealer.messages.isEmpty)
    }

    // MARK: Sessions, factors, identities

    @Test func `ends a session of the named account only`() async throws {
        let tokens = try await world.registered().tokens
        let session = try #require(try await world.session(of: tokens))
        let other = try await administration.create(creation { $0.email = "bob@example.com" }).account.id
        #expect(await problem { try await administration.revokeSession(session.id, of: other) }?.reason == .notFound)
        try await world.use(tokens)
        try await administration.revokeSession(session.id, of: session.accountID)
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(tokens) }
    }

    @Test func `removes one factor and informs the owner, who can undo it`() async throws {
        let tokens = try await world.registered().tokens
        let id = try #require(try await world.account()?.id)
        let (app, _) = try await world.enrolled(tokens)
        #expect(try await administration.details(of: id).factorKinds == [.totp])
        #expect(await problem { try await administration.removeFactor(FactorID("none"), of: id) }?.reason == .notFound)
        try await administration.removeFactor(app.id, of: id)
        #expect(world.notificationSealer.messages.last?.notice.factorNotice?.change == .removed)
        #expect(world.notificationSealer.messages.last?.notice.factorNotice?.address == nil)
        let left = try await administration.factors(of: id)
        #expect(left.factors.isEmpty && left.recoveryCodesLeft == 0)
    }

    @Test func `unlinks an identity, which ends the sessions, unless it is the last way in`() async throws {
        var record = AccountRecord()
        (record.authProvider, record.providerSubject, record.email) = ("google", "s1", ada)
        let account = try await administration.create(record, password: nil)
        let identity = try #require(try await administration.identities(of: account.id).first)
        #expect(identity.provider == "google" && identity.subject == "s1" && identity.email?.text == ada)
        let last = await problem { try await administration.unlinkIdentity(identity.id, of: account.id) }
        #expect(last?.reason == .conflict && last?.code == "last_way_in")
        #expect(await problem { try await administration.unlinkIdentity("x", of: account.id) }?.reason == .notFound)
        _ = try await administration.setPassword(Secret(goodPassword), of: account.id)
        try await administration.unlinkIdentity(identity.id, of: account.id)
        #expect(try await administration.identities(of: account.id).isEmpty)
        _ = try await world.signIn()
    }

    // MARK: Audit

    @Test func `a change is audited with the names of its fields, and without their values`() async throws {
        let id = try await administration.create(creation { $0.email = "ada@old.example.com" }).account.id
        func details(of update: AccountUpdate) async throws -> [String: [String: String]] {
            let count = try await world.events().count
            _ = try await administration.update(id, update)
            let events = try await world.events().dropFirst(count)
            return Dictionary(uniqueKeysWithValues: events.map { ($0.action, $0.details) })
        }
        var update = AccountUpdate()
        update.email = .replaced("ada@new.example.com")
        update.isEmailVerified = true
        update.fullName = .replaced("Ada Lovelace")
        update.isActive = false
        let first = try await details(of: update)
        #expect(
            first == [
                "cli.users.disable": [:], "cli.users.update": ["fields": "email, email_verified, full_name"],
            ])
        update = AccountUpdate()
        update.fullName = .removed
        update.username = .replaced("ada")
        #expect(try await details(of: update) == ["cli.users.update": ["fields": "username, full_name"]])
        #expect(try await details(of: AccountUpdate()) == ["cli.users.update": [:]])
    }

    @Test func `every change is audited with its actor before it is made, and not made without`() async throws {
        let key = Administration(
            engine: world.engine.serving(Caller(address: "192.0.2.7", userAgent: "curl/8")), actor: .serviceKey("k1"))
        let id = try await key.create(creation { $0.password = Secret(goodPassword) }).account.id
        var update = AccountUpdate()
        update.fullName = .replaced("Ada")
        _ = try await key.update(id, update)
        try await key.sendPasswordReset(to: id)
        let events = try await world.events()
        #expect(events.map(\.action) == ["admin.users.create", "admin.users.update", "admin.users.password-reset"])
        #expect(events.allSatisfy { $0.actor == "key:k1" && $0.address == "192.0.2.7" && $0.userAgent == "curl/8" })
        #expect(events.map(\.account) == [nil, id, id])
        world.store.fail("audit")
        update.fullName = .removed
        await #expect(throws: (any Error).self) { try await key.update(id, update) }
        await #expect(throws: (any Error).self) { try await key.delete(id) }
        #expect(try await world.administration.account(id).fullName?.text == "Ada")
    }

    @Test func `the administrator's network is none of the owner's`() async throws {
        let key = Administration(
            engine: world.engine.serving(Caller(address: "192.0.2.7", network: "192.0.2.7")), actor: .serviceKey("k1"))
        let id = try await key.create(creation()).account.id
        let before = world.store.calls.count
        try await key.setPassword(Secret(goodPassword), of: id)
        #expect(!world.store.calls.dropFirst(before).contains("forgive"))
    }

    @Test(arguments: [
        (AdministrationActor.commandLine(user: "alice"), "cli:alice", "cli"),
        (.serviceKey("k1"), "key:k1", "admin"),
    ])
    func `an actor has a name in the audit log`(actor: AdministrationActor, text: String, prefix: String) throws {
        #expect(actor.text == text && actor.actionPrefix == prefix)
        #expect(AdministrationActor.account(try AccountID("7")).text == "account:7")
    }
}
