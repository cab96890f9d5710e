import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@Suite struct SignInTests {
    /// The reasons for a refusal that a caller must not be able to distinguish.
    enum Reason: String, CaseIterable {
        case unknown, wrongPassword, disabled, withoutPassword, overLong, overLongBeginningRight, nul, empty
    }

    @Test(arguments: Reason.allCases)
    func `refuses alike, after one check of a password`(reason: Reason) async throws {
        let long = String(repeating: "a", count: 72)
        let world = try World.vici()
        try await world.registered(password: reason == .overLongBeginningRight ? long : goodPassword)
        if reason == .disabled { _ = try await world.administration.setActive(false, ada) }
        var other = AccountRecord()
        other.email = "nobody@example.com"
        if reason == .withoutPassword { _ = try await world.administration.create(other, password: nil) }
        let (email, password) =
            switch reason {
            case .unknown: ("stranger@example.com", goodPassword)
            case .wrongPassword: (ada, otherPassword)
            case .disabled: (ada, goodPassword)
            case .withoutPassword: ("nobody@example.com", goodPassword)
            case .overLong: (ada, String(repeating: "b", count: 1000))
            case .overLongBeginningRight: (ada, long + "X")
            case .nul: (ada, goodPassword + "\0")
            case .empty: (ada, "")
            }
        let before = (checks: world.hasher.checks, hashes: world.hasher.hashes, calls: world.store.calls.count)
        await #expect(throws: AuthError.wrongCredentials) { try await world.signIn(email, password: password) }
        #expect(world.hasher.checks == before.checks + 1)
        #expect(world.hasher.hashes == before.hashes)
        // The account is looked up before the count as well, so that all identifiers of an account count together.
        let calls = ["accountIdentifiedBy", "count", "accountIdentifiedBy", "audit"]
        #expect(world.store.calls.dropFirst(before.calls) == calls[...])
    }

    @Test func `replaces an outdated hash, once`() async throws {
        let world = try World.vici()
        try await world.registered()
        let account = try #require(try await world.account())
        try await world.store.upgradePasswordHash(
            of: account.id, in: account.app, from: "current:\(goodPassword)", to: "outdated:\(goodPassword)")
        let before = world.hasher.hashes
        _ = try await world.signIn()
        #expect(try await world.account()?.passwordHash == "current:\(goodPassword)")
        _ = try await world.signIn()
        #expect(world.hasher.hashes == before + 1)
    }

    @Test(arguments: ["ada", "ADA", ada])
    func `signs in with the username or with the email`(name: String) async throws {
        let world = try World.viewvault()
        let user = try await world.engine.perform(
            Register(email: EmailAddress(ada), username: Username("Ada"), password: Secret(goodPassword))
        ).user
        let answer = try await world.engine.perform(
            SignIn(identifier: .username(Username(name)), password: Secret(goodPassword)))
        #expect(answer.user == user)
    }

    @Test func `keeps with the session where it was opened and on what`() async throws {
        let world = try World.vici()
        try await world.registered()
        let device = DeviceInfo(deviceID: "d1", platform: "iOS")
        let answer = try await world.engine.serving(Caller(address: "192.0.2.7", userAgent: "App/1")).perform(
            SignIn(identifier: .email(EmailAddress(ada)), password: Secret(goodPassword), device: device))
        let session = try await world.session(of: answer.tokens)
        #expect(session?.device == device)
        #expect(session?.address == "192.0.2.7")
        #expect(session?.userAgent == "App/1")
    }

    @Test func `opens no session with a password that was changed while it was checked`() async throws {
        let world = try World.vici()
        try await world.registered()
        world.hasher.whileHashing {
            _ = try await world.administration.setPassword(Secret(otherPassword), of: ada)
        }
        await #expect(throws: AuthError.wrongCredentials) { try await world.signIn() }
        #expect(try await world.administration.sessions(of: ada).isEmpty)
    }

    @Test func `opens no session for an account that was disabled while its password was checked`() async throws {
        let world = try World.vici()
        try await world.registered()
        world.hasher.whileHashing { _ = try await world.administration.setActive(false, ada) }
        await #expect(throws: AuthError.wrongCredentials) { try await world.signIn() }
        #expect(try await world.administration.sessions(of: ada).isEmpty)
    }

    @Test func `signs in again once the account is enabled`() async throws {
        let world = try World.vici()
        try await world.registered()
        _ = try await world.administration.setActive(false, ada)
        _ = try await world.administration.setActive(true, ada)
        _ = try await world.signIn()
    }

    @Test func `does not let a password in that belongs to another account`() async throws {
        let world = try World.vici()
        try await world.registered()
        try await world.registered("bob@example.com", password: otherPassword)
        await #expect(throws: AuthError.wrongCredentials) { try await world.signIn(password: otherPassword) }
    }

    @Test func `says in the access token what the contract tells of a person`() async throws {
        let world = try World.viewvault()
        var record = AccountRecord()
        record.username = "octo"
        record.email = "octo@example.com"
        record.fullName = "Octo Cat"
        record.authProvider = "auth0"
        record.providerSubject = "auth0|github|7"
        record.passwordHash = "current:\(goodPassword)"
        _ = try await world.administration.create(record, password: nil)
        let answer = try await world.engine.perform(
            SignIn(identifier: .username(Username("octo")), password: Secret(goodPassword)))
        let grant = try #require(world.accessTokens.grant(answer.tokens.accessToken))
        #expect(grant.subject == "auth0|github|7")
        #expect(grant.authProvider == "auth0")
        #expect(grant.email == "octo@example.com")
        #expect(grant.name == "Octo Cat")
    }
}
