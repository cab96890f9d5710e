import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct PasswordResetTests {
    private let world: World

    init() throws { world = try World.vici() }

    private func reset(_ token: Secret<String>, to password: String = otherPassword) async throws {
        _ = try await world.engine.perform(ResetPassword(proof: .token(token), password: Secret(password)))
    }

    private func ask(_ email: String = ada) async throws {
        _ = try await world.engine.perform(RequestPasswordReset(email: EmailAddress(email)))
    }

    @Test func `lets the new password in and the old one no more`() async throws {
        try await world.registered()
        try await reset(world.resetToken())
        await #expect(throws: AuthError.wrongCredentials) { try await world.signIn() }
        _ = try await world.signIn(password: otherPassword)
    }

    @Test func `ends every session and tells the owner`() async throws {
        let first = try await world.registered().tokens
        let second = try await world.signIn().tokens
        try await reset(world.resetToken())
        for tokens in [first, second] {
            await #expect(throws: AuthError.sessionRevoked) { try await world.use(tokens) }
            await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(tokens) }
            #expect(try await world.session(of: tokens)?.revocation?.reason == .passwordReset)
        }
        #expect(world.notificationSealer.messages.last?.notice == .passwordChanged)
    }

    @Test func `works once`() async throws {
        try await world.registered()
        let token = try await world.resetToken()
        try await reset(token)
        await #expect(throws: AuthError.resetTokenRefused) { try await reset(token, to: "yet another one") }
        _ = try await world.signIn(password: otherPassword)
    }

    @Test func `works only with the newest token`() async throws {
        try await world.registered()
        let old = try await world.resetToken()
        world.clock.advance(by: .seconds(60))
        let new = try await world.resetToken()
        await #expect(throws: AuthError.resetTokenRefused) { try await reset(old) }
        try await reset(new)
    }

    @Test(
        arguments: [(-1.0, nil), (0, AuthError.resetTokenRefused), (1, .resetTokenRefused)] as [(Double, AuthError?)])
    func `works for an hour`(offset: Double, expected: AuthError?) async throws {
        try await world.registered()
        let token = try await world.resetToken()
        world.clock.advance(by: .seconds(3600 + offset))
        #expect(await refusal { try await reset(token) } == expected)
    }

    @Test func `does not spend the token on a password that is not acceptable`() async throws {
        try await world.registered()
        let token = try await world.resetToken()
        await #expect(throws: AuthError.invalid(.password, .tooCommon)) { try await reset(token, to: "password") }
        try await reset(token)
    }

    @Test(arguments: ["", "x", "' OR 1=1--"])
    func `refuses a token that is none`(text: String) async throws {
        await #expect(throws: AuthError.resetTokenRefused) { try await reset(Secret(text)) }
    }

    @Test func `refuses another app's token`() async throws {
        try await world.registered()
        let token = try await world.resetToken()
        let other = try World("clarity", .clarity, sharing: world)
        await #expect(throws: AuthError.resetTokenRefused) {
            try await other.engine.perform(ResetPassword(proof: .token(token), password: Secret(otherPassword)))
        }
    }

    @Test func `answers strangers and owners alike, at the same cost`() async throws {
        try await world.registered()
        try await world.registered("gone@example.com")
        _ = try await world.administration.setActive(false, "gone@example.com")
        var costs: [[String]] = []
        for address in [ada, "stranger@example.com", "gone@example.com"] {
            let before = (calls: world.store.calls.count, sent: world.notificationSealer.messages.count)
            try await ask(address)
            #expect(world.notificationSealer.messages.count == before.sent + 1)
            costs.append(Array(world.store.calls.dropFirst(before.calls)))
        }
        #expect(Set(costs).count == 1)
    }

    @Test(arguments: ["stranger@example.com", "gone@example.com"])
    func `sends strangers and disabled accounts nothing`(address: String) async throws {
        try await world.registered("gone@example.com")
        _ = try await world.administration.setActive(false, "gone@example.com")
        try await ask(address)
        #expect(world.notificationSealer.messages.map(\.notice) == [.nothing])
    }

    @Test func `sends to the address of the account, however it was asked for`() async throws {
        try await world.registered("Ada@Example.com")
        try await ask("ADA@EXAMPLE.COM")
        guard case .email(let address)? = world.notificationSealer.messages.first?.recipient else {
            throw World.NothingCame()
        }
        #expect(address.text == "Ada@Example.com")
    }

    @Test(arguments: [ada, "stranger@example.com"])
    func `sends nothing and answers the same within a minute`(address: String) async throws {
        try await world.registered()
        try await ask(address)
        world.clock.advance(by: .seconds(59))
        try await ask(address.uppercased())
        #expect(world.notificationSealer.messages.count == 1)
        world.clock.advance(by: .seconds(1))
        try await ask(address)
        #expect(world.notificationSealer.messages.count == 2)
    }

    @Test func `keeps the first token good while the second request is silent`() async throws {
        try await world.registered()
        let token = try await world.resetToken()
        try await ask()
        try await reset(token)
    }

    @Test func `does not set the password of an account that was disabled meanwhile`() async throws {
        try await world.registered()
        let token = try await world.resetToken()
        _ = try await world.administration.setActive(false, ada)
        await #expect(throws: AuthError.resetTokenRefused) { try await reset(token) }
        #expect(try await world.account()?.passwordHash == "current:\(goodPassword)")
    }

    @Test func `does not set the password of an account that is disabled while it is hashed`() async throws {
        try await world.registered()
        let token = try await world.resetToken()
        world.store.interrupt("setPassword") { [world] in _ = try await world.administration.setActive(false, ada) }
        await #expect(throws: AuthError.resetTokenRefused) { try await reset(token) }
        #expect(try await world.account()?.passwordHash == "current:\(goodPassword)")
    }

    @Test func `refuses a token of before the account was disabled, also after it is enabled`() async throws {
        try await world.registered()
        let token = try await world.resetToken()
        for isActive in [false, true] { _ = try await world.administration.setActive(isActive, ada) }
        await #expect(throws: AuthError.resetTokenRefused) { try await reset(token) }
        world.clock.advance(by: .seconds(60))
        try await reset(world.resetToken())
    }

    @Test func `refuses a token of a request that came before the account was disabled, and was sent after it`()
        async throws
    {
        try await world.registered()
        world.store.interrupt("enqueue") { [world] in _ = try await world.administration.setActive(false, ada) }
        let token = try await world.resetToken()
        _ = try await world.administration.setActive(true, ada)
        await #expect(throws: AuthError.resetTokenRefused) { try await reset(token) }
    }

    @Test func `gives no two requests the same token`() async throws {
        let world = try World.vici {
            $0.limits = .generous
            $0.messages = .generous
        }
        try await world.registered()
        var tokens: Set<String> = []
        for _ in 0..<500 {
            tokens.insert(try await world.resetToken().reveal())
            world.clock.advance(by: .seconds(60))
        }
        #expect(tokens.count == 500)
        #expect(tokens.allSatisfy { $0.utf8.count == 43 })
    }
}
