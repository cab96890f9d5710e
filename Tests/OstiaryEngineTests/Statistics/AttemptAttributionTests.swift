import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// The method, the factor and the new account that an audit event names.
@Suite struct AttemptAttributionTests {
    /// One event, as the statistics see it.
    private struct Counted: Hashable {
        var action: String
        var outcome: String
        var method: String?
        var factor: String?
        var isNewAccount = false
    }

    private func counted(in world: World) async throws -> [Counted] {
        try await world.events().map {
            Counted(
                action: $0.action, outcome: $0.outcome, method: $0.method, factor: $0.factor,
                isNewAccount: $0.isNewAccount)
        }
    }

    private func last(in world: World) async throws -> Counted? { try await counted(in: world).last }

    @Test func `a registration is a new account and no attempt`() async throws {
        let world = try World.vici { $0.limits = .generous }
        try await world.registered()
        #expect(try await last(in: world) == Counted(action: "register", outcome: "ok", isNewAccount: true))
        _ = await refusal { try await world.registered() }
        #expect(try await last(in: world) == Counted(action: "register", outcome: "identifier_taken"))
    }

    @Test func `a sign-in with a second factor is a pending and a successful attempt of its first method`() async throws
    {
        let world = try World.vici { $0.limits = .generous }
        let (app, _) = try await world.enrolled(world.registered().tokens)
        #expect(try await last(in: world) == Counted(action: "confirmTOTP", outcome: "ok"))
        world.advanceStep()
        let challenge = try await world.challenged()
        #expect(
            try await last(in: world)
                == Counted(action: "signIn", outcome: "challenge_required", method: "password"))
        _ = await refusal { try await world.answer(challenge, .totp, "000000") }
        #expect(
            try await last(in: world)
                == Counted(action: "answerChallenge", outcome: "code_refused", method: "password", factor: "totp"))
        try await world.answer(challenge, .totp, app.code(world))
        #expect(
            try await last(in: world)
                == Counted(action: "answerChallenge", outcome: "ok", method: "password", factor: "totp"))
        _ = await refusal { try await world.answer(challenge, .totp, app.code(world)) }
        #expect(
            try await last(in: world)
                == Counted(
                    action: "answerChallenge", outcome: "challenge_refused", method: "password", factor: "totp"))
    }

    @Test func `an answer whose challenge cannot be read is an attempt of an unknown method`() async throws {
        let world = try World.vici { $0.limits = .generous }
        _ = await refusal {
            try await world.engine.perform(AnswerChallenge(challengeToken: Secret("x"), answers: [:]))
        }
        #expect(
            try await last(in: world)
                == Counted(action: "answerChallenge", outcome: "challenge_refused", method: "unknown"))
    }

    @Test func `a step-up is no attempt, and names its factor`() async throws {
        let world = try World.vici { $0.limits = .generous }
        let tokens = try await world.registered().tokens
        let (app, _) = try await world.enrolled(tokens)
        world.clock.advance(by: .seconds(301))
        let ask = StepUp(accessToken: tokens.accessToken, level: .aal2, maximumAgeSeconds: 300)
        guard case .stepUpRequired(let required) = await refusal(of: { try await world.engine.perform(ask) }),
            let challenge = required.challenge
        else { throw World.NothingCame() }
        _ = await refusal { try await world.answer(challenge, .totp, "000000", tokens) }
        #expect(
            try await last(in: world)
                == Counted(action: "answerChallenge", outcome: "code_refused", factor: "totp"))
        _ = await refusal { try await world.answer(challenge, .totp, app.code(world), tokens) }
        #expect(try await last(in: world)?.method == nil)
        _ = await refusal { try await world.answer(challenge, .password, "wrong", tokens) }
        #expect(try await last(in: world) == Counted(action: "answerChallenge", outcome: "wrong_credentials"))
        let attempts = try await counted(in: world).filter { $0.method != nil }
        #expect(attempts.isEmpty)
    }

    @Test func `a passkey signs in by itself`() async throws {
        let (world, device) = (try World.passkeys(), TestPasskeys())
        try await world.addPasskey(to: world.registered().tokens, on: device)
        _ = try await world.signIn(with: device)
        #expect(
            try await last(in: world) == Counted(action: "signInWithPasskey", outcome: "ok", method: "passkey"))
        _ = await refusal {
            try await world.engine.perform(SignInWithPasskey(passkeyToken: Secret("x"), credential: "{}"))
        }
        #expect(
            try await last(in: world)
                == Counted(action: "signInWithPasskey", outcome: "challenge_refused", method: "passkey"))
        try await StatisticsRollUp(store: world.store).run()
        let totals = try await world.administration.statistics(
            StatisticsQuery(from: world.clock.now, to: world.clock.now.addingTimeInterval(1))
        ).totals
        #expect(totals.secondFactorShare == 1)
    }

    @Test func `a sign-in at a provider has its name, and the first one is a new account`() async throws {
        let scene = try BrowserWorld()
        _ = try await scene.signIn()
        #expect(
            try await last(in: scene.world)
                == Counted(action: "completeBrowserSignIn", outcome: "ok", method: "oidc", isNewAccount: true))
        scene.world.clock.advance(by: .seconds(1))
        _ = try await scene.signIn()
        #expect(
            try await last(in: scene.world)
                == Counted(action: "completeBrowserSignIn", outcome: "ok", method: "oidc"))
    }

    @Test func `a sign-in at one of several providers has the name of that one, and a made-up state none`() async throws
    {
        let scene = try BrowserWorld(others: [.named("other", issuer: "https://other.example.com")])
        let request = try await scene.begin(provider: "oidc")
        let ready = BrowserWorld.Ready(code: scene.provider.code(for: request, as: .ada), state: request.state)
        try await scene.goBack(request.state, code: ready.code)
        _ = await refusal { try await scene.complete(ready, redirectURI: "timetracker://elsewhere") }
        #expect(
            try await last(in: scene.world)
                == Counted(action: "completeBrowserSignIn", outcome: "authorization_refused", method: "oidc"))
        _ = await refusal {
            try await scene.complete(BrowserWorld.Ready(code: Secret("x"), state: Secret("y")))
        }
        #expect(
            try await last(in: scene.world)
                == Counted(action: "completeBrowserSignIn", outcome: "authorization_refused", method: "unknown"))
    }

    @Test func `a provider that offers others has their names`() async throws {
        let scene = try BrowserWorld.auth0()
        _ = try await scene.beginSocial("google")
        let request = try #require(scene.provider.requests.last)
        let code = scene.provider.code(for: request, as: .ada)
        _ = try await scene.completeSocial(BrowserWorld.Ready(code: code, state: request.state))
        #expect(try await last(in: scene.world)?.method == "google")
    }

    @Test func `the name of a provider that is not configured is no label`() async throws {
        let scene = try BrowserWorld.google()
        _ = await refusal {
            try await scene.world.engine.perform(
                SignInWithIdentityToken(
                    provider: "made-up", identityToken: Secret("x"), nonce: Secret("0123456789abcdef")))
        }
        #expect(
            try await last(in: scene.world)
                == Counted(action: "signInWithIdentityToken", outcome: "not_found", method: "unknown"))
        let labels = scene.world.engine.ports.operationCounts.counts.keys.map(\.method)
        #expect(!labels.contains("made-up"))
    }

    @Test func `a request with an unacceptable field is no attempt`() async throws {
        let scene = try BrowserWorld.google()
        _ = await refusal {
            try await scene.world.engine.perform(
                SignInWithIdentityToken(provider: "google", identityToken: Secret("x"), nonce: Secret("short")))
        }
        #expect(
            try await last(in: scene.world)
                == Counted(action: "signInWithIdentityToken", outcome: "nonce_malformed"))
    }

    @Test func `a failure of the store is an attempt that failed`() async throws {
        let world = try World.vici { $0.limits = .generous }
        try await world.registered()
        world.store.fail("addSession")
        _ = await refusal { try await world.signIn() }
        #expect(try await last(in: world) == Counted(action: "signIn", outcome: "unavailable", method: "password"))
    }
}
