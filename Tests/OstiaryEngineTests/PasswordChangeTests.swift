import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@Suite struct PasswordChangeTests {
    private let world: World

    init() throws { world = try World.vici() }

    @discardableResult
    private func change(
        with tokens: Tokens, from current: String = goodPassword, to new: String = otherPassword,
        in world: World? = nil
    ) async throws -> Tokens? {
        try await (world ?? self.world).engine.perform(
            ChangePassword(
                accessToken: tokens.accessToken, currentPassword: Secret(current), newPassword: Secret(new))
        ).tokens
    }

    @Test func `keeps this session and ends the others`() async throws {
        let tokens = try await world.registered().tokens
        let other = try await world.signIn().tokens
        let renewed = try #require(try await change(with: tokens))
        try await world.use(tokens)
        try await world.use(renewed)
        _ = try await world.refresh(renewed)
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(other) }
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(other) }
        #expect(try await world.session(of: other)?.revocation?.reason == .passwordChanged)
    }

    @Test func `PT-12: withdraws the session's refresh tokens, without ending it`() async throws {
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        let renewed = try #require(try await change(with: second))
        #expect(renewed.refreshToken != second.refreshToken)
        for tokens in [first, second] {
            await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(tokens) }
        }
        let next = try await world.refresh(renewed)
        // A token issued since the change is answered again as usual.
        #expect(try await world.refresh(renewed).refreshToken == next.refreshToken)
        #expect(try await world.session(of: next)?.revocation == nil)
    }

    @Test func `PT-12: keeps the current refresh token where the answer has no place for another`() async throws {
        let world = try World.vici { $0.passwordChangeRenewsTokens = false }
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        #expect(try await change(with: second, in: world) == nil)
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(first) }
        let third = try await world.refresh(second)
        #expect(try await world.refresh(second).refreshToken == third.refreshToken)
    }

    @Test func `PT-12: answers with an access token where there are no refresh tokens`() async throws {
        let world = try World.viewvault()
        let tokens = try await world.engine.perform(
            Register(email: EmailAddress(ada), username: Username(ada), password: Secret(goodPassword))
        ).tokens
        let renewed = try #require(try await change(with: tokens, in: world))
        #expect(renewed.refreshToken == nil)
        try await world.use(renewed)
    }

    @Test func `lets the new password in and the old one no more`() async throws {
        try await change(with: world.registered().tokens)
        await #expect(throws: AuthError.wrongCredentials) { try await world.signIn() }
        _ = try await world.signIn(password: otherPassword)
    }

    @Test func `tells the owner`() async throws {
        try await change(with: world.registered().tokens)
        #expect(
            world.notificationSealer.messages
                == [
                    CollectingNotificationSealer.Message(
                        notice: .passwordChanged, recipient: .email(try EmailAddress(ada)))
                ])
    }

    @Test func `changes nothing where the owner cannot be told`() async throws {
        let tokens = try await world.registered().tokens
        world.notificationSealer.setFull(true)
        #expect(await refusal { try await change(with: tokens) } == .busy(retryAfterSeconds: 30))
        _ = try await world.signIn()
        #expect(world.notificationSealer.queuedWhenWoken.isEmpty)
        world.notificationSealer.setFull(false)
        try await change(with: tokens)
        #expect(world.notificationSealer.queuedWhenWoken == [1])
    }

    @Test func `asks for the current password`() async throws {
        let tokens = try await world.registered().tokens
        await #expect(throws: AuthError.wrongCredentials) { try await change(with: tokens, from: otherPassword) }
        _ = try await world.signIn()
    }

    @Test func `refuses a new password that is not acceptable`() async throws {
        let tokens = try await world.registered().tokens
        await #expect(throws: AuthError.invalid(.newPassword, .tooCommon)) {
            try await change(with: tokens, to: "password")
        }
        _ = try await world.signIn()
    }

    @Test func `refuses the access token of a session that was ended`() async throws {
        let tokens = try await world.registered().tokens
        _ = try await world.engine.perform(SignOut(accessToken: tokens.accessToken))
        await #expect(throws: AuthError.sessionRevoked) { try await change(with: tokens) }
    }

    @Test func `counts wrong current passwords like failed sign-ins`() async throws {
        let tokens = try await world.registered().tokens
        for _ in 0..<10 { _ = await refusal { try await change(with: tokens, from: otherPassword) } }
        let last = await refusal { try await change(with: tokens) }
        #expect(last == .tooManyAttempts(retryAfterSeconds: 6))
    }

    @Test func `voids the reset tokens that are under way`() async throws {
        let tokens = try await world.registered().tokens
        let reset = try await world.resetToken()
        try await change(with: tokens)
        await #expect(throws: AuthError.resetTokenRefused) {
            try await world.engine.perform(
                ResetPassword(proof: .token(reset), password: Secret("yet another one")))
        }
    }

    @Test func `does not undo a reset that came between the check and the change`() async throws {
        let thief = try await world.registered().tokens
        let reset = try await world.resetToken()
        world.hasher.whileHashing { [world] in
            _ = try await world.engine.perform(
                ResetPassword(proof: .token(reset), password: Secret("the owner's choice")))
        }
        await #expect(throws: AuthError.wrongCredentials) { try await change(with: thief, to: "the thief's choice") }
        _ = try await world.signIn(password: "the owner's choice")
    }

    @Test func `ends every session of a person whose password an administrator sets`() async throws {
        let tokens = try await world.registered().tokens
        _ = try await world.administration.setPassword(Secret(otherPassword), of: ada)
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(tokens) }
        _ = try await world.signIn(password: otherPassword)
    }
}
