import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// Codes by text message and email that answer a challenge.
@Suite struct ChallengeCodeTests {
    /// An account with a verified phone number and an authenticator.
    private func phone(_ change: (inout AppSettings) -> Void = { _ in }) async throws -> (World, World.Authenticator) {
        let world = try World.barqnet {
            $0.limits = .generous
            change(&$0)
        }
        let (code, _) = try await world.codeSent(to: number)
        let jo = try await world.engine.perform(
            Register(phoneNumber: number, password: Secret(goodPassword), code: code))
        let (app, _) = try await world.enrolled(jo.tokens)
        world.clock.advance(by: .seconds(60))
        return (world, app)
    }

    /// Signs in with the password, and returns the challenge that answers.
    private func challenged(_ world: World, password: String = goodPassword) async throws -> Challenge {
        let identifier: Identifier =
            world.engine.app.rules.identifier == .phoneNumber
            ? .phoneNumber(try number) : .email(try EmailAddress(ada))
        let call = SignIn(identifier: identifier, password: Secret(password))
        guard case .challengeRequired(let challenge) = await refusal(of: { try await world.engine.perform(call) })
        else {
            throw World.NothingCame()
        }
        return challenge
    }

    private var number: PhoneNumber { get throws { try PhoneNumber("+15551234567") } }

    /// The code of the last message, and its recipient.
    private func sent(_ world: World) throws -> (code: String, recipient: Recipient) {
        guard let message = world.notificationSealer.messages.last, case .oneTimeCode(let code, _) = message.notice
        else { throw World.NothingCame() }
        return (code.reveal(), message.recipient)
    }

    private func send(_ world: World, _ challenge: Challenge, _ method: ChallengeMethod = .smsCode) async throws {
        _ = try await world.engine.perform(SendChallengeCode(challengeToken: challenge.token, method: method))
    }

    @Test func `a code by text message completes the sign-in with aal2`() async throws {
        let (world, _) = try await phone()
        let challenge = try await challenged(world)
        #expect(challenge.methods == [.totp, .smsCode, .recoveryCode])
        try await send(world, challenge)
        #expect(try sent(world).recipient == .phoneNumber(try number))
        let signedIn = try await world.answer(challenge, .smsCode, sent(world).code)
        let context = try #require(try await world.session(of: signedIn.tokens)).authentication
        #expect(context.level == .aal2)
        #expect(context.references == ["mfa", "pwd", "sms"])
    }

    @Test func `a code belongs to its challenge, and the last one sent counts`() async throws {
        let (world, _) = try await phone()
        let challenge = try await challenged(world)
        let other = try await challenged(world)
        #expect(await refusal { try await world.answer(challenge, .smsCode, "000000") } == .codeRefused)
        try await send(world, challenge)
        let first = try sent(world).code
        #expect(await refusal { try await world.answer(other, .smsCode, first) } == .codeRefused)
        world.clock.advance(by: .seconds(60))
        try await send(world, challenge)
        let second = try sent(world).code
        if first != second {
            #expect(await refusal { try await world.answer(challenge, .smsCode, first) } == .codeRefused)
        }
        try await world.answer(challenge, .smsCode, second)
        #expect(await refusal { try await world.answer(challenge, .smsCode, second) } == .challengeRefused)
        #expect(await refusal { try await send(world, challenge) } == .challengeRefused)
    }

    @Test func `one code is sent a minute, and five an hour, over all challenges`() async throws {
        let (world, _) = try await phone()
        for count in 1...5 {
            try await send(world, challenged(world))
            let next = try await challenged(world)
            let early = await refusal { try await send(world, next) }
            guard case .tooManyAttempts? = early else {
                Issue.record("the code after number \(count) was sent at once")
                return
            }
            world.clock.advance(by: .seconds(60))
        }
        let next = try await challenged(world)
        guard case .tooManyAttempts? = await refusal(of: { try await send(world, next) }) else {
            Issue.record("a sixth code was sent")
            return
        }
    }

    @Test func `a method without codes, or one that is not offered, sends none`() async throws {
        let (world, _) = try await phone()
        let challenge = try await challenged(world)
        let messages = world.notificationSealer.messages.count
        for method in [ChallengeMethod.totp, .recoveryCode, .emailCode, ChallengeMethod(rawValue: "fax")] {
            #expect(await refusal { try await send(world, challenge, method) } == .invalid(.method, .notSupported))
        }
        #expect(world.notificationSealer.messages.count == messages)
    }

    @Test func `no code is offered while the password was set through the same channel`() async throws {
        let (world, app) = try await phone()
        let (code, _) = try await world.codeSent(to: number)
        _ = try await world.engine.perform(
            ResetPassword(proof: .code(code, number), password: Secret(otherPassword)))
        let challenge = try await challenged(world, password: otherPassword)
        #expect(challenge.methods == [.totp, .recoveryCode])
        #expect(await refusal { try await send(world, challenge) } == .invalid(.method, .notSupported))
        #expect(await refusal { try await world.answer(challenge, .smsCode, "000000") } == .invalid(.answers, .missing))
        // Another factor proves the owner.
        try await world.answer(challenge, .totp, app.code(world))
        #expect(try await challenged(world, password: otherPassword).methods == [.totp, .smsCode, .recoveryCode])
    }

    @Test func `a code by email answers where the app allows it, and gives no aal2`() async throws {
        let world = try World.vici {
            $0.limits = .generous
            $0.secondFactor.methods = [.totp, .emailCode, .recoveryCode]
        }
        let (app, _) = try await world.enrolled(world.registered().tokens)
        world.advanceStep()
        // The address is not verified yet; a reset proves it.
        #expect(try await challenged(world).methods == [.totp, .recoveryCode])
        let token = try await world.resetToken()
        _ = try await world.engine.perform(ResetPassword(proof: .token(token), password: Secret(otherPassword)))
        let afterReset = try await challenged(world, password: otherPassword)
        #expect(afterReset.methods == [.totp, .recoveryCode])
        try await world.answer(afterReset, .totp, app.code(world))

        let challenge = try await challenged(world, password: otherPassword)
        #expect(challenge.methods == [.totp, .emailCode, .recoveryCode])
        try await send(world, challenge, .emailCode)
        #expect(try sent(world).recipient == .email(try EmailAddress(ada)))
        let signedIn = try await world.answer(challenge, .emailCode, sent(world).code)
        #expect(try await world.session(of: signedIn.tokens)?.authentication.level == .aal1)
        // A code by email is no second factor: it does not satisfy a step-up that requires one.
        let requirement = await refusal {
            try await world.engine.perform(StepUp(accessToken: signedIn.tokens.accessToken, level: .aal2))
        }
        guard case .stepUpRequired(let required)? = requirement else {
            Issue.record("an email code gave aal2")
            return
        }
        #expect(required.challenge?.methods == [.totp])
    }

    @Test func `a code by email does not forgive wrong codes`() async throws {
        let world = try World.vici {
            $0.limits = .generous
            $0.secondFactor.methods = [.totp, .emailCode, .recoveryCode]
        }
        try await world.registered()
        let token = try await world.resetToken()
        _ = try await world.engine.perform(ResetPassword(proof: .token(token), password: Secret(goodPassword)))
        let (app, _) = try await world.enrolled(world.signIn().tokens)
        world.clock.advance(by: .seconds(60))
        // After a reset by mail, codes by mail are offered once another factor was shown.
        try await world.answer(challenged(world), .totp, app.code(world))
        world.clock.advance(by: .seconds(60))
        func guess(_ count: Int) async throws {
            let challenge = try await challenged(world)
            for _ in 0..<count {
                #expect(await refusal { try await world.answer(challenge, .totp, "000000") } == .codeRefused)
            }
        }
        try await guess(4)
        try await guess(4)
        let challenge = try await challenged(world)
        try await send(world, challenge, .emailCode)
        try await world.answer(challenge, .emailCode, sent(world).code)
        try await guess(2)
        let last = await refusal { try await world.answer(challenged(world), .totp, "000000") }
        #expect(last == .tooManyAttempts(retryAfterSeconds: 60))
    }

    @Test func `a code steps a session up`() async throws {
        let (world, app) = try await phone()
        let tokens = try await world.answer(challenged(world), .totp, app.code(world)).tokens
        world.clock.advance(by: .seconds(301))
        let call = StepUp(accessToken: tokens.accessToken, level: .aal2, maximumAgeSeconds: 300)
        guard case .stepUpRequired(let first)? = await refusal(of: { try await world.engine.perform(call) }),
            let challenge = first.challenge
        else { throw World.NothingCame() }
        #expect(challenge.methods == [.password, .totp, .smsCode])
        try await send(world, challenge)
        let code = try sent(world).code
        guard
            case .stepUpRequired(let second)? = await refusal(of: {
                try await world.answer(challenge, .smsCode, code, tokens)
            }), let next = second.challenge
        else { throw World.NothingCame() }
        #expect(next.methods == [.password])
        try await world.answer(next, .password, goodPassword, tokens)
        #expect(try await world.engine.perform(call).level == .aal2)
    }

    @Test func `a failing store sends nothing twice and opens nothing`() async throws {
        let (world, _) = try await phone()
        let challenge = try await challenged(world)
        world.store.fail("enqueue")
        guard case .unavailable? = await refusal(of: { try await send(world, challenge) }) else {
            Issue.record("the failure was not reported")
            return
        }
    }
}
