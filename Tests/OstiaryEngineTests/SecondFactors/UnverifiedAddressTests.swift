import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// An account that another person registered with the owner's address, and added a factor to: see decision 64.
@Suite struct UnverifiedAddressTests {
    private let world: World

    init() throws { world = try .passkeys() }

    private func reset() async throws {
        let token = try await world.resetToken()
        _ = try await world.engine.perform(ResetPassword(proof: .token(token), password: Secret(otherPassword)))
    }

    private var isVerified: Bool? { get async throws { try await world.account()?.isEmailVerified } }

    @Test func `a reset does not prove the address for a passkey of before`() async throws {
        let device = TestPasskeys()
        let stranger = try await world.registered().tokens
        try await world.addPasskey(to: stranger, on: device)
        try await reset()
        #expect(try await isVerified == false)
        #expect(await refusal { try await world.use(stranger) } == .sessionRevoked)
        // Neither a sign-in with the passkey alone nor a step-up shows the password of the reset.
        let tokens = try await world.signIn(with: device).tokens
        world.clock.advance(by: .seconds(301))
        let ask = StepUp(accessToken: tokens.accessToken, level: .aal2, maximumAgeSeconds: 300)
        guard case .stepUpRequired(let requirement) = await refusal(of: { try await world.engine.perform(ask) }) else {
            throw World.NothingCame()
        }
        let challenge = try #require(requirement.challenge)
        let options = try await world.engine.perform(BeginPasskeyChallenge(challengeToken: challenge.token))
        _ = try await world.engine.perform(
            AnswerChallenge(
                challengeToken: challenge.token, credential: device.assertion(options),
                accessToken: tokens.accessToken))
        #expect(try await isVerified == false)
    }

    @Test func `the owner proves the address with the password of the reset and the factor`() async throws {
        let (app, _) = try await world.enrolled(world.registered().tokens)
        world.advanceStep()
        try await reset()
        #expect(try await isVerified == false)
        let challenge = try await world.challenged(password: otherPassword)
        _ = try await world.answer(challenge, .totp, app.code(world))
        #expect(try await isVerified == true)
    }

    @Test func `a factor does not prove the address for a reset that comes while it is judged`() async throws {
        let (app, _) = try await world.enrolled(world.registered().tokens)
        world.advanceStep()
        try await reset()
        let challenge = try await world.challenged(password: otherPassword)
        world.clock.advance(by: .seconds(61))
        let token = try await world.resetToken()
        world.store.interrupt("forgetPasswordReset") { [world] in
            _ = try await world.engine.perform(ResetPassword(proof: .token(token), password: Secret(goodPassword)))
        }
        await #expect(throws: AuthError.self) { try await world.answer(challenge, .totp, app.code(world)) }
        let account = try #require(try await world.account())
        #expect(account.passwordResetChannel == .email && !account.isEmailVerified)
    }

    @Test func `the owner proves the address after a recovery that removed the passkey of before`() async throws {
        let (other, own) = (TestPasskeys(), TestPasskeys())
        try await world.register(with: other)
        try await world.recover(world.opened(), on: own)
        world.clock.advance(by: .seconds(3600))
        _ = try await world.engine.perform(RequestPasswordReset(email: EmailAddress(ada)))
        guard case .accountRecovery(_, let token, _)? = world.notificationSealer.messages.last?.notice else {
            throw World.NothingCame()
        }
        _ = try await world.engine.perform(ResetPassword(proof: .token(token), password: Secret(otherPassword)))
        #expect(try await isVerified == false)
        _ = try await world.answer(world.challenged(password: otherPassword), with: own)
        #expect(try await isVerified == true)
        #expect(await refusal { try await world.signIn(with: other) } == .wrongCredentials)
    }

    @Test func `a reset proves the address of an account without factors`() async throws {
        try await world.registered()
        try await reset()
        #expect(try await isVerified == true)
    }
}
