import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct AdministratorInvitationTests {
    private let world: World
    private var administration: Administration { world.administration }

    init() throws { world = try World.vici() }

    private func accept(_ invited: InvitedAdministrator) async throws {
        _ = try await world.engine.perform(
            ResetPassword(proof: .token(invited.token), password: Secret(goodPassword)))
    }

    @Test func `an address without an account gets one with the role, whose owner sets the password`() async throws {
        let invited = try await administration.inviteAdministrator(ada)
        #expect(invited.isNew)
        #expect(invited.account.roles == [User.adminRole])
        try await accept(invited)
        _ = try await world.signIn()
    }

    @Test func `an account gets the role beside its others, and keeps its password until the link is used`()
        async throws
    {
        var record = AccountRecord()
        (record.email, record.roles) = (ada, ["editor", "admin@project:1"])
        let account = try await administration.create(record, password: Secret(goodPassword))
        var update = AccountUpdate()
        update.isEmailVerified = true
        _ = try await administration.update(account.id, update)
        let invited = try await administration.inviteAdministrator(ada)
        #expect(!invited.isNew)
        #expect(invited.account.assignments.map(\.text) == ["admin", "admin@project:1", "editor"])
        _ = try await world.signIn()
    }

    @Test func `an account that can sign in gets the role only if its address is verified`() async throws {
        // By a person who knows whom the operator will invite.
        try await world.registered()
        let problem = await #expect(throws: AdministrationProblem.self) {
            try await administration.inviteAdministrator(ada)
        }
        #expect(problem?.code == "email_unverified")
        #expect(try await world.account()?.assignments.contains(where: { $0.text == User.adminRole }) == false)
        let token = try await world.resetToken()
        _ = try await world.engine.perform(ResetPassword(proof: .token(token), password: Secret(otherPassword)))
        let invited = try await administration.inviteAdministrator(ada)
        #expect(!invited.isNew && invited.account.roles == [User.adminRole])
    }

    @Test func `an administrator gets a further link, verified or not`() async throws {
        var record = AccountRecord()
        (record.email, record.roles) = (ada, [User.adminRole])
        let account = try await administration.create(record, password: Secret(goodPassword))
        #expect(!account.isEmailVerified)
        try await accept(administration.inviteAdministrator(ada))
    }

    @Test func `a link works once, and a newer one ends it`() async throws {
        let first = try await administration.inviteAdministrator(ada)
        let second = try await administration.inviteAdministrator(ada)
        await #expect(throws: AuthError.resetTokenRefused) { try await accept(first) }
        try await accept(second)
        await #expect(throws: AuthError.resetTokenRefused) { try await accept(second) }
    }

    @Test func `a link ends after seven days`() async throws {
        let invited = try await administration.inviteAdministrator(ada)
        world.clock.advance(by: .seconds(7 * 86_400))
        await #expect(throws: AuthError.resetTokenRefused) { try await accept(invited) }
    }

    @Test func `a link ends when the account is disabled, also if it is enabled later`() async throws {
        let invited = try await administration.inviteAdministrator(ada)
        _ = try await administration.inviteAdministrator("bob@example.com")
        for isActive in [false, true] { _ = try await administration.setActive(isActive, ada) }
        await #expect(throws: AuthError.resetTokenRefused) { try await accept(invited) }
    }

    @Test func `no message is sent`() async throws {
        _ = try await administration.inviteAdministrator(ada)
        #expect(world.notificationSealer.messages.allSatisfy { $0.notice == .nothing })
    }

    @Test func `a malformed address, and that of a disabled account, are refused`() async throws {
        let problem = await #expect(throws: AdministrationProblem.self) {
            try await administration.inviteAdministrator("no address")
        }
        #expect(problem?.pointer == "/email")
        let invited = try await administration.inviteAdministrator(ada)
        _ = try await administration.setActive(false, invited.account.id)
        let other = await #expect(throws: AdministrationProblem.self) {
            try await administration.inviteAdministrator(ada)
        }
        #expect(other?.code == "account_disabled")
    }
}
