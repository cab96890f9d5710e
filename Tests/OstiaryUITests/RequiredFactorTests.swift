import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
@testable import OstiaryUI
import Testing

/// A sign-in to an account that must add a second factor first.
@MainActor @Suite(.timeLimit(.minutes(5))) struct RequiredFactorTests {
    let actions = ScriptedActions(.vici)

    private func challenged(_ methods: [ChallengeMethod] = [.passkey, .totp]) async -> AuthViewModel {
        let challenge = Challenge(name: Challenge.enrollFactor, token: Secret("t"), methods: methods)
        actions.refuse("signIn", .refused(.challengeRequired(challenge)))
        var options = AuthViewModel.Options()
        options.system = TestClock().system
        options.passkeys = TestPasskeys()
        let model = AuthViewModel(actions, texts: .english, options: options)
        model.type(identifier: "ada@example.com")
        await model.signIn()?.value
        return model
    }

    private func typed(_ model: AuthViewModel) async -> AuthViewModel {
        await model.addTOTP()?.value
        model.fields.code = "123456"
        return model
    }

    @Test func `an authenticator app completes the sign-in, and its recovery codes come first`() async {
        actions.signInAs(.sample("here"))
        let model = await challenged()
        #expect(model.mustAddFactor && model.addableFactors == [.passkey, .totp] && model.error == nil)
        await typed(model).confirmTOTP()?.value
        await model.until { $0.isSignedIn }
        #expect(actions.callNames.contains("confirmTOTPFor") && !actions.callNames.contains("confirmTOTP"))
        #expect(!model.mustAddFactor && model.recoveryCodes?.count == 2 && !model.isEntered)
        model.didSaveRecoveryCodes()
        #expect(model.isEntered && model.step == .start)
    }

    @Test func `on a device with another account, the codes are kept whichever comes first, state or answer`() async {
        actions.enter(.signedIn(.sample("here"), verified: true))
        let first = await typed(challenged())
        let point = actions.hold("confirmTOTPFor")
        let confirmation = first.confirmTOTP()
        actions.enter(.signedIn(.nobody, verified: true))
        await first.until { $0.session == SessionSnapshot.nobody.id }
        point.open()
        await confirmation?.value
        #expect(first.recoveryCodes?.count == 2)

        actions.enter(.signedIn(.sample("here"), verified: true))
        let second = await typed(challenged())
        await second.confirmTOTP()?.value
        actions.enter(.signedIn(.nobody, verified: true))
        await second.until { $0.session == SessionSnapshot.nobody.id }
        #expect(second.recoveryCodes?.count == 2)
    }

    @Test func `an expired challenge leads back to the sign-in`() async {
        let model = await typed(challenged())
        actions.refuse("confirmTOTPFor", .refused(.challengeRefused))
        await model.confirmTOTP()?.value
        #expect(model.step == .start && model.pendingTOTP == nil && model.error?.canRetry == false)
    }

    @Test func `starting over discards the key, and its answer that is on the way`() async {
        let model = await typed(challenged())
        let point = actions.hold("confirmTOTPFor")
        let confirmation = model.confirmTOTP()
        model.startOver()
        point.open()
        await confirmation?.value
        #expect(model.pendingTOTP == nil && model.recoveryCodes == nil && !model.mustAddFactor)
    }

    @Test func `says so where the app can add none of the factors`() async {
        let model = await challenged([ChallengeMethod(rawValue: "fax")])
        #expect(model.mustAddFactor && model.addableFactors.isEmpty && model.error != nil)
    }
}
