import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// Challenges and refusals for the risk of a sign-in: see decision 79.
@Suite struct RiskReactionTests {
    private static let challenging = RiskPolicy(challenge: .medium)
    private static let here = ListedLocations.berlin
    private static let away = ListedLocations.newYork

    private func code(_ world: World, _ challenge: Challenge) async throws -> String {
        _ = try await world.engine(at: Self.away).perform(
            SendChallengeCode(challengeToken: challenge.token, method: .emailCode))
        guard case .oneTimeCode(let code, _)? = world.notificationSealer.messages.last?.notice else {
            throw World.NothingCame()
        }
        return code.reveal()
    }

    // MARK: Challenge

    @Test func `without a factor, an unusual sign-in needs a code by email`() async throws {
        let world = try World.risky(Self.challenging)
        try await world.settled()
        let challenge = try await world.challenged(at: Self.away)
        #expect(challenge.methods == [.emailCode] && challenge.name == Challenge.secondFactor)
        let signedIn = try await world.answer(challenge, .emailCode, code(world, challenge))
        let session = try #require(try await world.session(of: signedIn.tokens))
        #expect(session.authentication.level == .aal1)
        #expect(session.authentication.events.map(\.method) == [.password, .emailCode])
        #expect(try await world.lastEvent("answerChallenge")?.details["risk_score"] == "95")
    }

    @Test func `a usual sign-in needs none`() async throws {
        let world = try World.risky(Self.challenging)
        try await world.settled()
        try await world.signIn(at: Self.here)
    }

    @Test func `an app without second factors asks for the code too`() async throws {
        let world = try World.risky(Self.challenging) { $0.secondFactor.requirement = .off }
        try await world.settled()
        let challenge = try await world.challenged(at: Self.away)
        try await world.answer(challenge, .emailCode, code(world, challenge))
    }

    @Test func `no other method answers the code`() async throws {
        let world = try World.risky(Self.challenging)
        try await world.settled()
        let challenge = try await world.challenged(at: Self.away)
        #expect(
            await refusal { try await world.answer(challenge, .recoveryCode, "abcd-efgh-jkmn") }
                == .invalid(.answers, .missing))
        #expect(await refusal { try await world.answer(challenge, .emailCode, "000000") } == .codeRefused)
    }

    @Test func `an answered challenge leaves no notice, and an unanswered one does after five minutes`() async throws {
        let world = try World.risky(Self.challenging)
        try await world.settled()
        let challenge = try await world.challenged(at: Self.away)
        let begun = world.clock.now
        #expect(try await world.queuedNotices(at: begun + 299).isEmpty)
        #expect(try await world.queuedNotices(at: begun + 300).count == 1)
        try await world.answer(challenge, .emailCode, code(world, challenge))
        #expect(try await world.queuedNotices(at: begun + 1000).isEmpty)
        // The answered one counts against no limit of notices.
        _ = try await world.challenged(at: "10.0.0.1")
        #expect(try await world.queuedNotices(at: begun + 1000).count == 1)
    }

    @Test func `with a factor, the factor is asked for, also on a remembered device`() async throws {
        let world = try World.risky(Self.challenging) { $0.secondFactor.rememberDeviceDays = 30 }
        let tokens = try await world.settled().tokens
        let (app, _) = try await world.enrolled(tokens)
        world.advanceStep()
        let first = try await world.challenged(at: Self.here)
        let device = try #require(try await world.answer(first, .totp, app.code(world), remembering: true).deviceToken)
        let call = SignIn(identifier: .email(try EmailAddress(ada)), password: Secret(goodPassword), rememberMe: true)
        let home = Caller(address: Self.here, network: Self.here, deviceToken: device)
        let next = try #require(try await world.engine.serving(home).perform(call).deviceToken)
        let abroad = Caller(address: Self.away, network: Self.away, deviceToken: next)
        // A recognized device lowers the risk of the distance alone below medium.
        for number in 0..<10 {
            let other = SignIn(
                identifier: .email(try EmailAddress("other\(number)@example.com")), password: Secret("wrong password"))
            let stranger = Caller(address: Self.away, network: Self.away)
            #expect(await refusal { _ = try await world.engine.serving(stranger).perform(other) } == .wrongCredentials)
        }
        guard
            case .challengeRequired(let challenge) = await refusal(of: {
                try await world.engine.serving(abroad).perform(call)
            })
        else { throw World.NothingCame() }
        #expect(challenge.methods.contains(.totp))
        world.advanceStep()
        try await world.answer(challenge, .totp, app.code(world))
        #expect(try await world.queuedNotices(at: world.clock.now + 1000).isEmpty)
    }

    @Test func `an account without a verified address falls back to a notice`() async throws {
        let world = try World.risky(RiskPolicy(notify: .never, challenge: .medium))
        _ = try await world.engine(at: Self.here).perform(
            Register(email: EmailAddress(ada), password: Secret(goodPassword), rememberMe: true))
        world.clock.advance(by: .seconds(86_400))
        try await world.signIn(at: Self.away)
        #expect(world.signInNotices.count == 1)
    }

    @Test func `a contract without challenges falls back to a notice`() async throws {
        let world = try World.risky(Self.challenging) { $0.answersChallenges = false }
        try await world.settled()
        try await world.signIn(at: Self.away)
        #expect(world.signInNotices.count == 1)
    }

    @Test func `the code stands for no factor that the account must have`() async throws {
        let world = try World.risky(Self.challenging) { $0.secondFactor.requirement = .optional }
        try await world.settled()
        let strict = try World("clarity", .clarity, seed: 2, sharing: world, networkLocator: ListedLocations()) {
            $0.risk = Self.challenging
            $0.secondFactor.requirement = .required
        }
        let challenge = try await strict.challenged(at: Self.away)
        #expect(challenge.methods == [.emailCode])
        _ = try await strict.engine.perform(
            SendChallengeCode(challengeToken: challenge.token, method: .emailCode))
        guard case .oneTimeCode(let code, _)? = strict.notificationSealer.messages.last?.notice else {
            throw World.NothingCame()
        }
        let answer = await refusal { try await strict.answer(challenge, .emailCode, code.reveal()) }
        guard case .challengeRequired(let enrolment) = answer else { throw World.NothingCame() }
        #expect(enrolment.name == Challenge.enrollFactor)
    }

    // MARK: Refusal

    @Test func `a refused sign-in has the answer, the work and the count of a wrong password`() async throws {
        let world = try World.risky(RiskPolicy(refuse: .high))
        try await world.settled()
        func trying(_ password: String, _ address: String) async -> (refusal: AuthError?, calls: [String], checks: Int)
        {
            let (calls, checks) = (world.store.calls.count, world.hasher.checks)
            let refused = await refusal { try await world.signIn(at: address, password: password) }
            return (refused, Array(world.store.calls.dropFirst(calls)), world.hasher.checks - checks)
        }
        // The first failure of an identifier is counted against the network, the following ones are not.
        _ = await trying("another wrong password", Self.away)
        let right = await trying(goodPassword, Self.away)
        let wrong = await trying("wrong password", Self.away)
        #expect(right.refusal == .wrongCredentials && wrong.refusal == .wrongCredentials)
        #expect(right.calls == wrong.calls)
        #expect(right.checks == 1 && wrong.checks == 1)
        #expect(world.signInNotices.isEmpty)
        try await world.signIn(at: Self.here)
    }

    @Test func `a passkey is not refused, and its owner is told`() async throws {
        let world = try World.risky(RiskPolicy(refuse: .high)) { $0.passkeys = .example }
        let device = TestPasskeys()
        try await world.addPasskey(to: try await world.settled().tokens, on: device)
        let engine = world.engine(at: Self.away)
        let options = try await engine.perform(BeginPasskeySignIn())
        let credential = try await device.assertion(options)
        let signedIn = try await engine.perform(
            SignInWithPasskey(passkeyToken: #require(options.token), credential: credential))
        try await world.use(signedIn.tokens)
        #expect(world.signInNotices.count == 1)
    }

    @Test func `a medium risk is not refused where a high one is`() async throws {
        let world = try World.risky(RiskPolicy(refuse: .high))
        try await world.settled()
        try await world.signIn(at: "10.0.0.1")
        #expect(world.signInNotices.count == 1)
    }
}
