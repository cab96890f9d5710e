import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// The second factor between the password and the session.
@Suite struct SecondFactorSignInTests {
    private let world: World

    init() throws { world = try .vici { $0.limits = .generous } }

    @Test func `an account without factors notices nothing`() async throws {
        try await world.registered()
        let signedIn = try await world.signIn()
        #expect(try await world.session(of: signedIn.tokens)?.authentication.references == ["pwd"])
    }

    @Test func `a password alone opens no session where the account has a factor`() async throws {
        let (_, codes) = try await world.enrolled(world.registered().tokens)
        #expect(codes?.count == 10)
        let sessions = world.store.calls.filter { $0 == "addSession" }.count
        let challenge = try await world.challenged()
        #expect(challenge.name == "SECOND_FACTOR")
        #expect(challenge.methods == [.totp, .recoveryCode])
        #expect(challenge.expiresInSeconds == 300)
        #expect(world.store.calls.filter { $0 == "addSession" }.count == sessions)
    }

    @Test func `the code of the authenticator app completes the sign-in with aal2`() async throws {
        let (app, _) = try await world.enrolled(world.registered().tokens)
        world.advanceStep()
        let signedIn = try await world.answer(world.challenged(), .totp, app.code(world))
        let context = try #require(try await world.session(of: signedIn.tokens)).authentication
        #expect(context.level == .aal2)
        #expect(context.references == ["mfa", "otp", "pwd"])
        #expect(try await world.use(signedIn.tokens).email?.text == ada)
    }

    @Test func `a recovery code completes the sign-in once, with aal1, and the owner is told`() async throws {
        let (_, codes) = try await world.enrolled(world.registered().tokens)
        let code = try #require(codes?.first).reveal()
        let typed = code.lowercased().filter { $0 != "-" }
        let signedIn = try await world.answer(world.challenged(), .recoveryCode, typed)
        #expect(try await world.session(of: signedIn.tokens)?.authentication.level == .aal1)
        #expect(world.notificationSealer.messages.last?.notice.factorChange == .recoveryCodeUsed)
        let challenge = try await world.challenged()
        #expect(await refusal { try await world.answer(challenge, .recoveryCode, code) } == .codeRefused)
        let list = try await world.engine.perform(ListFactors(accessToken: signedIn.tokens.accessToken))
        #expect(list.recoveryCodesLeft == 9)
    }

    @Test func `OT-13: a time step is accepted once, the confirmation included`() async throws {
        let (app, _) = try await world.enrolled(world.registered().tokens)
        let challenge = try await world.challenged()
        // The step of the confirmation, and the one before it.
        #expect(await refusal { try await world.answer(challenge, .totp, app.code(world)) } == .codeRefused)
        #expect(await refusal { try await world.answer(challenge, .totp, app.code(world, -1)) } == .codeRefused)
        // The app's clock may be one step ahead.
        try await world.answer(challenge, .totp, app.code(world, 1))
        let next = try await world.challenged()
        #expect(await refusal { try await world.answer(next, .totp, app.code(world, 1)) } == .codeRefused)
        // A clock that was set back does not make a used step acceptable.
        world.clock.advance(by: .seconds(-300))
        let late = try await world.challenged()
        #expect(await refusal { try await world.answer(late, .totp, app.code(world, 1)) } == .codeRefused)
    }

    @Test func `a challenge ends with its first success`() async throws {
        let (app, codes) = try await world.enrolled(world.registered().tokens)
        let challenge = try await world.challenged()
        world.advanceStep()
        try await world.answer(challenge, .totp, app.code(world))
        let code = try #require(codes?.first).reveal()
        #expect(await refusal { try await world.answer(challenge, .recoveryCode, code) } == .challengeRefused)
        // The code was not used up.
        try await world.answer(world.challenged(), .recoveryCode, code)
    }

    @Test func `of two recovery codes that answer one challenge at once, one is used up`() async throws {
        let codes = try #require(try await world.enrolled(world.registered().tokens).codes)
        let challenge = try await world.challenged()
        world.store.interrupt("redeemRecoveryCode") { [world] in
            _ = try await world.answer(challenge, .recoveryCode, codes[0].reveal())
        }
        let refused = await refusal { try await world.answer(challenge, .recoveryCode, codes[1].reveal()) }
        #expect(refused == .challengeRefused)
        let account = try #require(try await world.account()).id
        #expect(
            try await world.store.factors(of: account, in: world.engine.app.name).recoveryCodesLeft == codes.count - 1)
        try await world.answer(world.challenged(), .recoveryCode, codes[1].reveal())
    }

    @Test func `a challenge ends after five wrong answers, right or wrong then`() async throws {
        let (app, _) = try await world.enrolled(world.registered().tokens)
        let challenge = try await world.challenged()
        world.advanceStep()
        for _ in 0..<5 {
            #expect(await refusal { try await world.answer(challenge, .totp, "000000") } == .codeRefused)
        }
        #expect(await refusal { try await world.answer(challenge, .totp, app.code(world)) } == .challengeRefused)
        try await world.answer(world.challenged(), .totp, app.code(world))
    }

    @Test func `a challenge ends after five minutes, and with a change of the password`() async throws {
        let (app, _) = try await world.enrolled(world.registered().tokens)
        let old = try await world.challenged()
        world.clock.advance(by: .seconds(300))
        #expect(await refusal { try await world.answer(old, .totp, app.code(world)) } == .challengeRefused)
        let overtaken = try await world.challenged()
        _ = try await world.engine.perform(
            ResetPassword(proof: .token(world.resetToken()), password: Secret(otherPassword)))
        #expect(await refusal { try await world.answer(overtaken, .totp, app.code(world)) } == .challengeRefused)
    }

    @Test func `RS-10: a reset of the password neither signs in nor removes a factor`() async throws {
        try await _ = world.enrolled(world.registered().tokens)
        _ = try await world.engine.perform(
            ResetPassword(proof: .token(world.resetToken()), password: Secret(goodPassword)))
        #expect(try await world.challenged().methods.contains(.totp))
    }

    @Test func `OT-14: ten wrong answers in a row are followed by waits, right or wrong, which end with a success`()
        async throws
    {
        let (app, _) = try await world.enrolled(world.registered().tokens)
        world.advanceStep()
        for _ in 0..<2 {
            let challenge = try await world.challenged()
            for _ in 0..<5 {
                #expect(await refusal { try await world.answer(challenge, .totp, "000000") } == .codeRefused)
            }
        }
        let waiting = try await world.challenged()
        let refused = AuthError.tooManyAttempts(retryAfterSeconds: 60)
        #expect(await refusal { try await world.answer(waiting, .totp, "000000") } == refused)
        #expect(await refusal { try await world.answer(waiting, .totp, app.code(world)) } == refused)
        world.clock.advance(by: .seconds(60))
        try await world.answer(world.challenged(), .totp, app.code(world))
        let next = try await world.challenged()
        #expect(await refusal { try await world.answer(next, .totp, "000000") } == .codeRefused)
    }

    @Test(arguments: [
        [:], ["totp": "1", "recovery_code": "2"], ["sms_code": "123456"], ["password": "x"], ["TOTP": "1"],
    ])
    func `an answer that is none of the offered methods is a bad request`(_ answers: [String: String]) async throws {
        try await _ = world.enrolled(world.registered().tokens)
        let challenge = try await world.challenged()
        let refused = await refusal {
            try await world.engine.perform(
                AnswerChallenge(challengeToken: challenge.token, answers: answers.mapValues { Secret($0) }))
        }
        #expect(refused == .invalid(.answers, answers.count == 2 ? .malformed : .missing))
    }

    @Test(arguments: ["", "x", "AAAA", "ünd"])
    func `a token that this server did not seal is refused`(_ text: String) async throws {
        try await _ = world.enrolled(world.registered().tokens)
        let challenge = Challenge(name: "", token: Secret(text))
        #expect(await refusal { try await world.answer(challenge, .totp, "123456") } == .challengeRefused)
    }

    @Test func `a challenge whose account has no factor left is refused`() async throws {
        let (app, _) = try await world.enrolled(world.registered().tokens)
        let challenge = try await world.challenged()
        world.advanceStep()
        _ = try await world.administration.resetFactors(of: ada)
        #expect(await refusal { try await world.answer(challenge, .totp, app.code(world)) } == .challengeRefused)
    }

    @Test func `a challenge of another app is refused`() async throws {
        let (app, _) = try await world.enrolled(world.registered().tokens)
        let challenge = try await world.challenged()
        world.advanceStep()
        let other = try World("other", .vici, sharing: world)
        try await _ = other.enrolled(other.registered().tokens)
        #expect(await refusal { try await other.answer(challenge, .totp, app.code(world)) } == .challengeRefused)
    }

    @Test func `an app without second factors does not ask`() async throws {
        try await _ = world.enrolled(world.registered().tokens)
        let off = try World("vici", .vici, sharing: world) { $0.secondFactor.requirement = .off }
        let tokens = try await off.signIn().tokens
        #expect(await refusal { try await off.engine.perform(BeginTOTP(accessToken: tokens.accessToken)) } == .notFound)
    }

    @Test func `RC-09: of 50 parallel uses of a time step, a recovery code and a challenge, one succeeds`() async throws
    {
        let (app, codes) = try await world.enrolled(world.registered().tokens)
        let recovery = try #require(codes)
        for round in 0..<10 {
            world.advanceStep()
            let code = app.code(world)
            var challenges: [Challenge] = []
            for _ in 0..<50 { challenges.append(try await world.challenged()) }
            let sameStep = await inParallel(50) { [challenges] index in
                await refusal { try await world.answer(challenges[index], .totp, code) }
            }
            #expect(sameStep.filter { $0 == nil }.count == 1)
            #expect(sameStep.allSatisfy { $0 == nil || $0 == .codeRefused || $0?.code == "too_many_attempts" })
            world.clock.advance(by: .seconds(7200))
            for index in challenges.indices { challenges[index] = try await world.challenged() }
            let sameCode = await inParallel(50) { [challenges] index in
                await refusal { try await world.answer(challenges[index], .recoveryCode, recovery[round].reveal()) }
            }
            #expect(sameCode.filter { $0 == nil }.count == 1)
            world.clock.advance(by: .seconds(7200))
            let one = try await world.challenged()
            let current = app.code(world)
            let sameChallenge = await inParallel(50) { _ in
                await refusal { try await world.answer(one, .totp, current) }
            }
            #expect(sameChallenge.filter { $0 == nil }.count == 1)
            world.clock.advance(by: .seconds(7200))
        }
    }

    @Test func `a store that fails while a code is judged leaves the challenge usable`() async throws {
        let (app, _) = try await world.enrolled(world.registered().tokens)
        world.advanceStep()
        let challenge = try await world.challenged()
        world.store.fail("recordUse")
        let failed = await refusal { try await world.answer(challenge, .totp, app.code(world)) }
        #expect(failed?.code == "unavailable")
        world.store.recover()
        try await world.answer(challenge, .totp, app.code(world))
    }
}
