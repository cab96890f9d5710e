import Foundation
import OstiaryClient
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// The policies that require a second factor of an account.
@Suite struct RequiredFactorTests {
    private let world: World

    init() throws { world = try .requiring() }

    @Test func `a registration creates the account and asks it to add a factor`() async throws {
        let challenge = try #require(await challenge { try await world.registered() })
        #expect(challenge.name == "ENROLL_FACTOR" && challenge.methods == [.passkey, .totp])
        #expect(challenge.expiresInSeconds == 600)
        #expect(try await world.account() != nil)
        #expect(!world.store.calls.contains("addSession"))
    }

    @Test func `the confirmation of the first factor completes the sign-in with aal2 and recovery codes`() async throws
    {
        _ = await challenge { try await world.registered() }
        let challenge = try await world.challenged()
        let (app, signedIn, codes) = try await world.enrolled(by: challenge)
        #expect(codes?.count == 10 && signedIn.user?.email?.text == ada)
        let authentication = try await world.session(of: signedIn.tokens)?.authentication
        #expect(authentication?.references == ["mfa", "otp", "pwd"])
        #expect(world.notificationSealer.messages.last?.notice.factorChange == .added)
        let list = try await world.engine.perform(ListFactors(accessToken: signedIn.tokens.accessToken))
        #expect(list.factors.map(\.id) == [app.id] && list.isRequired && list.recoveryCodesLeft == 10)
        #expect(try await world.challenged().name == "SECOND_FACTOR")
        let events = try await world.events().filter { $0.action == "confirmTOTP" }
        #expect(events.map(\.outcome) == ["ok"] && events[0].session != nil)
    }

    @Test func `a passkey completes the sign-in as well`() async throws {
        let device = TestPasskeys()
        let challenge = try #require(await challenge { try await world.registered() })
        let token = challenge.token
        let options = try await world.engine.perform(BeginPasskeyRegistration(accessToken: token))
        let made = try await device.register(PasskeyRegistrationOptions(json: Data(options.publicKey.utf8)))
        let answer = try await world.engine.perform(
            RegisterPasskey(
                accessToken: token, passkeyToken: options.token ?? Secret(""),
                credential: String(decoding: made.json, as: UTF8.self)))
        guard case .signedIn(let signedIn, let codes) = answer else { throw World.NothingCame() }
        #expect(codes?.count == 10)
        #expect(try await world.session(of: signedIn.tokens)?.authentication.level == .aal2)
        #expect(try await world.signIn(with: device).user == signedIn.user)
    }

    @Test func `the first of several enrolments completes its sign-in, and the others end`() async throws {
        let first = try #require(await challenge { try await world.registered() })
        let second = try await world.challenged()
        let begun = try await world.engine.perform(BeginTOTP(accessToken: second.token))
        _ = try await world.enrolled(by: first)
        let late = await refusal { try await world.enrolled(begun, by: second) }
        #expect(late == .challengeRefused)
        #expect(await refusal { try await world.enrolled(by: second) } == .challengeRefused)
        #expect(await refusal { try await world.enrolled(by: first) } == .challengeRefused)
    }

    @Test func `RC-09: of 50 parallel enrolments one opens a session, and the account has one factor`() async throws {
        _ = await challenge { try await world.registered() }
        var begun: [(Challenge, PendingTOTP)] = []
        for _ in 0..<50 {
            let challenge = try await world.challenged()
            begun.append((challenge, try await world.engine.perform(BeginTOTP(accessToken: challenge.token))))
        }
        let outcomes = await inParallel(50) { [begun] index in
            await refusal { try await world.enrolled(begun[index].1, by: begun[index].0) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.allSatisfy { $0 == nil || $0 == .challengeRefused })
        #expect(try await world.factors().count == 1)
    }

    @Test func `the token of an enrolment adds a factor, and does nothing else`() async throws {
        let challenge = try #require(await challenge { try await world.registered() })
        let tokens = Tokens(accessToken: challenge.token, expiresIn: nil, refreshToken: nil)
        let id = try FactorID("f")
        #expect(await refusal { try await world.use(tokens) } == .invalidAccessToken)
        let engine = world.engine
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await engine.perform(ListFactors(accessToken: challenge.token)) },
            { _ = try await engine.perform(RemoveFactor(accessToken: challenge.token, factorID: id)) },
            { _ = try await engine.perform(ReplaceRecoveryCodes(accessToken: challenge.token)) },
            { _ = try await engine.perform(StepUp(accessToken: challenge.token)) },
            { _ = try await engine.perform(IssueSigningKey(accessToken: challenge.token)) },
            { _ = try await engine.perform(ListSessions(accessToken: challenge.token)) },
        ]
        for call in calls { #expect(await refusal(of: call) == .invalidAccessToken) }
        #expect(await refusal { try await world.answer(challenge, .totp, "123456") } == .challengeRefused)
        #expect(
            await refusal { try await engine.perform(BeginPasskeyChallenge(challengeToken: challenge.token)) }
                == .challengeRefused)
    }

    @Test func `an enrolment ends after ten minutes, and with a change of the password`() async throws {
        let old = try #require(await challenge { try await world.registered() })
        world.clock.advance(by: .seconds(600))
        #expect(await refusal { try await world.enrolled(by: old) } == .challengeRefused)
        let overtaken = try await world.challenged()
        _ = try await world.engine.perform(
            ResetPassword(proof: .token(world.resetToken()), password: Secret(otherPassword)))
        #expect(await refusal { try await world.enrolled(by: overtaken) } == .challengeRefused)
    }

    @Test(arguments: [ChallengeMethod.totp, .passkey])
    func `a method that the app does not accept cannot be added`(_ method: ChallengeMethod) async throws {
        let world = try World.requiring { $0.secondFactor.methods = [method == .totp ? .passkey : .totp] }
        let token = try #require(await challenge { try await world.registered() }).token
        let refused = await refusal {
            if method == .totp {
                _ = try await world.engine.perform(BeginTOTP(accessToken: token))
            } else {
                _ = try await world.engine.perform(BeginPasskeyRegistration(accessToken: token))
            }
        }
        #expect(refused == .notFound)
    }

    @Test func `a store that fails in the middle leaves no factor, no codes and no session`() async throws {
        let challenge = try #require(await challenge { try await world.registered() })
        let pending = try await world.engine.perform(BeginTOTP(accessToken: challenge.token))
        world.store.fail("enrol")
        #expect(await refusal { try await world.enrolled(pending, by: challenge) }?.code == "unavailable")
        world.store.recover()
        #expect(try await world.factors().isEmpty)
        let (_, _, codes) = try await world.enrolled(pending, by: challenge)
        #expect(codes?.count == 10)
    }

    @Test func `the last factor cannot be removed where one is required`() async throws {
        let challenge = try #require(await challenge { try await world.registered() })
        let (app, signedIn, _) = try await world.enrolled(by: challenge)
        let remove = RemoveFactor(accessToken: signedIn.tokens.accessToken, factorID: app.id)
        #expect(await refusal { try await world.engine.perform(remove) } == .factorRequired)
        let device = TestPasskeys()
        try await world.addPasskey(to: signedIn.tokens, on: device)
        _ = try await world.engine.perform(remove)
        #expect(try await world.factors().map(\.kind) == [.passkey])
    }

    // MARK: Sessions that began under a weaker rule

    @Test func `a tighter policy makes sessions of one factor insufficient, until they show the other`() async throws {
        let optional = try World.requiring { $0.secondFactor.requirement = .optional }
        let (app, codes) = try await optional.enrolled(optional.registered().tokens)
        optional.advanceStep()
        let recovered = try await optional.answer(
            optional.challenged(), .recoveryCode, #require(codes?.first).reveal())
        let tokens = recovered.tokens
        try await optional.use(tokens)

        let required = try World.requiring(sharing: optional)
        required.advanceStep()
        let stated = try #require(await requirement { try await required.use(tokens) })
        #expect(stated.level == .aal2 && stated.challenge?.methods == [.totp])
        #expect(await requirement { try await required.verify(tokens) } != nil)
        try await required.answer(#require(stated.challenge), .totp, app.code(required), tokens)
        try await required.use(tokens)
        #expect(try await required.verify(tokens).level == .aal2)
    }

    @Test func `an account without a factor is asked to sign in again, and adds one then`() async throws {
        let optional = try World.requiring { $0.secondFactor.requirement = .optional }
        let tokens = try await optional.registered().tokens
        let required = try World.requiring(sharing: optional)
        let stated = try #require(await requirement { try await required.use(tokens) })
        #expect(stated.level == .aal2 && stated.challenge == nil)
        // The session can refresh, sign out, and add the factor itself while its sign-in is recent.
        _ = try await required.refresh(tokens)
        _ = try await required.engine.perform(ListFactors(accessToken: tokens.accessToken))
        let (_, signedIn, _) = try await required.enrolled(by: required.challenged())
        try await required.use(signedIn.tokens)
        #expect(await refusal { try await required.use(tokens) } == .sessionRevoked)
    }

    @Test func `a recent session adds the factor that its account must have`() async throws {
        let optional = try World.requiring { $0.secondFactor.requirement = .optional }
        let tokens = try await optional.registered().tokens
        let required = try World.requiring(sharing: optional)
        _ = try await required.enrolled(tokens)
        try await required.use(tokens)
    }

    @Test func `a role that requires a factor makes the session insufficient at the next request`() async throws {
        let world = try World.requiring {
            $0.secondFactor.requirement = .optional
            $0.secondFactor.requiredRoles = ["admin"]
        }
        let tokens = try await world.registered().tokens
        try await world.use(tokens)
        _ = try await world.administration.changeRoles(ada, adding: ["editor"], removing: [])
        try await world.use(tokens)
        _ = try await world.administration.changeRoles(ada, adding: ["admin"], removing: [])
        #expect(await requirement { try await world.use(tokens) }?.level == .aal2)
        #expect(await requirement { try await world.verify(tokens) }?.level == .aal2)
        #expect(try await world.challenged().name == "ENROLL_FACTOR")
        _ = try await world.administration.changeRoles(ada, adding: [], removing: ["admin"])
        try await world.use(tokens)
    }

    private func challenge<Answer: Sendable>(of call: @Sendable () async throws -> Answer) async -> Challenge? {
        guard case .challengeRequired(let challenge) = await refusal(of: call) else { return nil }
        return challenge
    }

    private func requirement<Answer: Sendable>(
        of call: @Sendable () async throws -> Answer
    ) async -> StepUpRequirement? {
        guard case .stepUpRequired(let requirement) = await refusal(of: call) else { return nil }
        return requirement
    }
}

extension World {
    /// An app that requires a second factor of every account.
    static func requiring(
        sharing other: World? = nil, _ change: (inout AppSettings) -> Void = { _ in }
    ) throws -> World {
        try World("vici", .vici, seed: other == nil ? 1 : 2, sharing: other) {
            $0.limits = .generous
            $0.passkeys = .example
            $0.secondFactor.requirement = .required
            change(&$0)
        }
    }

    /// Adds an authenticator app by the challenge of a sign-in.
    @discardableResult
    func enrolled(
        by challenge: Challenge
    ) async throws -> (app: Authenticator, signedIn: SignedIn, codes: [Secret<String>]?) {
        try await enrolled(engine.perform(BeginTOTP(accessToken: challenge.token)), by: challenge)
    }

    @discardableResult
    func enrolled(
        _ pending: PendingTOTP, by challenge: Challenge
    ) async throws -> (app: Authenticator, signedIn: SignedIn, codes: [Secret<String>]?) {
        let app = Authenticator(id: pending.factorID, secret: try secret(in: pending))
        let answer = try await engine.perform(
            ConfirmTOTP(accessToken: challenge.token, factorID: app.id, code: OneTimeCode(app.code(self))))
        guard case .signedIn(let signedIn, let codes) = answer else { throw NothingCame() }
        return (app, signedIn, codes)
    }

    /// Asks for a session's authentication as a service behind `/verify` does.
    @discardableResult
    func verify(_ tokens: Tokens) async throws -> SessionAuthentication {
        try await engine.requireAuthentication(
            of: engine.bearer(of: tokens.accessToken), level: nil, maximumAgeSeconds: nil)
    }
}
