import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// The step-up of a session. Source: RFC 9470.
@Suite struct StepUpTests {
    private let world: World

    init() throws { world = try .vici { $0.limits = .generous } }

    private func requirement(_ body: () async throws -> some Sendable) async throws -> StepUpRequirement {
        guard case .stepUpRequired(let requirement) = await refusal(of: body) else { throw World.NothingCame() }
        return requirement
    }

    @Test func `a session that qualifies is told how it was authenticated`() async throws {
        let tokens = try await world.registered().tokens
        let answer = try await world.engine.perform(StepUp(accessToken: tokens.accessToken, maximumAgeSeconds: 300))
        #expect(answer.level == .aal1 && answer.methods == ["pwd"])
        #expect(answer.time == world.clock.now.asStored)
    }

    @Test func `the password renews the time, and the refresh token stays`() async throws {
        let tokens = try await world.registered().tokens
        world.clock.advance(by: .seconds(301))
        let ask = StepUp(accessToken: tokens.accessToken, maximumAgeSeconds: 300)
        let required = try await requirement { try await world.engine.perform(ask) }
        let challenge = try #require(required.challenge)
        #expect(challenge.methods == [.password] && required.level == nil && required.maximumAgeSeconds == 300)
        #expect(await refusal { try await world.answer(challenge, .password, "wrong", tokens) } == .wrongCredentials)
        let raised = try await world.answer(challenge, .password, goodPassword, tokens)
        #expect(raised.tokens.refreshToken == tokens.refreshToken)
        #expect(try await world.engine.perform(ask).time == world.clock.now.asStored)
        #expect(try await world.use(raised.tokens).email?.text == ada)
    }

    @Test func `aal2 lists what is missing only, one after the other`() async throws {
        let tokens = try await world.registered().tokens
        let (app, _) = try await world.enrolled(tokens)
        let ask = StepUp(accessToken: tokens.accessToken, level: .aal2, maximumAgeSeconds: 300)
        #expect(try await world.engine.perform(ask).level == .aal2)
        world.clock.advance(by: .seconds(301))
        let both = try #require(try await requirement { try await world.engine.perform(ask) }.challenge)
        #expect(both.methods == [.password, .totp])
        let rest = try #require(
            try await requirement { try await world.answer(both, .password, goodPassword, tokens) }.challenge)
        #expect(rest.methods == [.totp])
        try await world.answer(rest, .totp, app.code(world), tokens)
        let answer = try await world.engine.perform(ask)
        #expect(answer.methods == ["mfa", "otp", "pwd"])
    }

    @Test func `a level is reported with the time of all its factors`() async throws {
        let tokens = try await world.registered().tokens
        _ = try await world.enrolled(tokens)
        let began = world.clock.now.asStored
        world.clock.advance(by: .seconds(301))
        let ask = StepUp(accessToken: tokens.accessToken, maximumAgeSeconds: 300)
        let challenge = try #require(try await requirement { try await world.engine.perform(ask) }.challenge)
        let raised = try await world.answer(challenge, .password, goodPassword, tokens).tokens
        // Only the password is recent: the level of the two factors comes with the time of the older one.
        let recent = try await world.engine.perform(StepUp(accessToken: raised.accessToken, maximumAgeSeconds: 300))
        #expect(recent.level == .aal1 && recent.time == world.clock.now.asStored)
        let whole = try await world.engine.perform(StepUp(accessToken: raised.accessToken))
        #expect(whole.level == .aal2 && whole.time == began)
        let old = try await world.engine.perform(StepUp(accessToken: raised.accessToken, maximumAgeSeconds: 302))
        #expect(old.level == .aal2 && old.time == began)
    }

    @Test func `a method that was not offered is refused, and a recovery code is not used up`() async throws {
        let tokens = try await world.registered().tokens
        let codes = try #require(try await world.enrolled(tokens).codes)
        world.clock.advance(by: .seconds(301))
        let ask = StepUp(accessToken: tokens.accessToken, level: .aal2, maximumAgeSeconds: 300)
        let challenge = try #require(try await requirement { try await world.engine.perform(ask) }.challenge)
        #expect(challenge.methods == [.password, .totp])
        let refused = await refusal { try await world.answer(challenge, .recoveryCode, codes[0].reveal(), tokens) }
        #expect(refused == .invalid(.answers, .missing))
        let account = try #require(try await world.account()).id
        #expect(try await world.store.factors(of: account, in: world.engine.app.name).recoveryCodesLeft == codes.count)
        let rest = try #require(
            try await requirement { try await world.answer(challenge, .password, goodPassword, tokens) }.challenge)
        // An answer that was lost is repeated.
        let again = try await requirement { try await world.answer(challenge, .password, goodPassword, tokens) }
        #expect(rest.methods == [.totp] && again.challenge?.methods == [.totp])
    }

    @Test func `aal2 without a factor has no challenge`() async throws {
        let tokens = try await world.registered().tokens
        let required = try await requirement {
            try await world.engine.perform(StepUp(accessToken: tokens.accessToken, level: .aal2))
        }
        #expect(required == StepUpRequirement(level: .aal2))
    }

    @Test func `a step-up belongs to its session`() async throws {
        let first = try await world.registered().tokens
        let second = try await world.signIn().tokens
        world.clock.advance(by: .seconds(301))
        let challenge = try #require(
            try await requirement {
                try await world.engine.perform(StepUp(accessToken: first.accessToken, maximumAgeSeconds: 300))
            }.challenge)
        #expect(
            await refusal { try await world.answer(challenge, .password, goodPassword, second) } == .challengeRefused)
        #expect(await refusal { try await world.answer(challenge, .password, goodPassword) } == .invalidAccessToken)
        let bob = try await world.registered("bob@example.com").tokens
        #expect(await refusal { try await world.answer(challenge, .password, goodPassword, bob) } == .challengeRefused)
    }

    @Test func `changing the password requires the second factor of an account that has one`() async throws {
        let tokens = try await world.registered().tokens
        let (app, _) = try await world.enrolled(tokens)
        world.clock.advance(by: .seconds(301))
        func change() async throws {
            _ = try await world.engine.perform(
                ChangePassword(
                    accessToken: tokens.accessToken, currentPassword: Secret(goodPassword),
                    newPassword: Secret(otherPassword)))
        }
        let required = try await requirement { try await change() }
        #expect(required.level == .aal2)
        let challenge = try #require(required.challenge)
        // The request carries the password, so the other factor alone is missing.
        #expect(challenge.methods == [.totp])
        _ = await refusal { try await world.answer(challenge, .totp, app.code(world), tokens) }
        try await change()
    }

    @Test func `deleting the account requires it too`() async throws {
        let tokens = try await world.registered().tokens
        try await _ = world.enrolled(tokens)
        world.clock.advance(by: .seconds(301))
        let deletion = DeleteAccount(accessToken: tokens.accessToken, password: Secret(goodPassword))
        #expect(try await requirement { try await world.engine.perform(deletion) }.challenge?.methods == [.totp])
        #expect(try await world.account() != nil)
    }

    @Test func `a step-up with a wrong code counts with those of sign-ins`() async throws {
        let tokens = try await world.registered().tokens
        try await _ = world.enrolled(tokens)
        world.clock.advance(by: .seconds(301))
        for _ in 0..<2 {
            let challenge = try #require(
                try await requirement {
                    try await world.engine.perform(
                        StepUp(accessToken: tokens.accessToken, level: .aal2, maximumAgeSeconds: 1))
                }.challenge)
            for _ in 0..<5 {
                #expect(await refusal { try await world.answer(challenge, .totp, "000000", tokens) } == .codeRefused)
            }
        }
        let signIn = try await world.challenged()
        #expect(await refusal { try await world.answer(signIn, .totp, "000000") }?.code == "too_many_attempts")
    }

    @Test func `two step-ups at once are both kept`() async throws {
        let tokens = try await world.registered().tokens
        let (app, _) = try await world.enrolled(tokens)
        world.clock.advance(by: .seconds(301))
        let ask = StepUp(accessToken: tokens.accessToken, level: .aal2, maximumAgeSeconds: 300)
        let challenge = try #require(try await requirement { try await world.engine.perform(ask) }.challenge)
        let code = app.code(world)
        _ = await inParallel(2) { index in
            await refusal {
                try await index == 0
                    ? world.answer(challenge, .password, goodPassword, tokens)
                    : world.answer(challenge, .totp, code, tokens)
            }
        }
        #expect(try await world.engine.perform(ask).level == .aal2)
    }
}
