import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
@testable import OstiaryUI
import Testing

/// The question to authenticate again, which actions of the account wait for.
@MainActor @Suite(.timeLimit(.minutes(5))) struct StepUpPromptTests {
    let actions = ScriptedActions(.vici)

    private static func refusal(_ methods: [ChallengeMethod], token: String = "t") -> ClientError {
        .refused(
            .stepUpRequired(
                StepUpRequirement(
                    challenge: Challenge(name: Challenge.stepUp, token: Secret(token), methods: methods),
                    maximumAgeSeconds: 300)))
    }

    private func signedIn(passkeys: Bool = false, isOnScreen: Bool = true) -> AuthViewModel {
        actions.enter(.signedIn(.sample("here"), verified: true))
        var options = AuthViewModel.Options()
        options.system = TestClock().system
        if passkeys { options.passkeys = TestPasskeys() }
        let model = AuthViewModel(actions, texts: .english, options: options)
        if isOnScreen { model.stepUpPrompt.addPresenter("screen") }
        return model
    }

    /// Begins an action that requires a step-up, and waits until the person is asked.
    private func asked(
        _ methods: [ChallengeMethod], passkeys: Bool = false
    ) async -> (model: AuthViewModel, task: Task<Void, Never>?) {
        let model = signedIn(passkeys: passkeys)
        actions.refuse("replaceRecoveryCodes", Self.refusal(methods))
        let task = model.replaceRecoveryCodes()
        await model.until { $0.asksForStepUp }
        return (model, task)
    }

    @Test func `asks for the password, and repeats the action`() async {
        let (model, task) = await asked([.password])
        #expect(model.isBusy(.replaceRecoveryCodes) && model.error == nil)
        #expect(model.factorSheet(over: "screen") == .stepUp && model.factorSheet(over: "other") == nil)
        #expect(model.formFields(of: .stepUp).map(\.entry) == [.password])
        #expect(model.answerStepUp() == nil)
        model.fields.password = goodPassword
        await model.answerStepUp()?.value
        await task?.value
        #expect(!model.asksForStepUp && model.fields.password.isEmpty)
        #expect(
            actions.calls.map(\.description).prefix(3) == [
                "replaceRecoveryCodes()", "answerStepUp(password=\(goodPassword))", "replaceRecoveryCodes()",
            ])
        #expect(model.recoveryCodes?.count == 2 && model.factorSheet(over: "screen") == .recoveryCodes)
    }

    @Test func `asks for what is still missing after a right answer`() async {
        let (model, task) = await asked([.password, .totp, .recoveryCode])
        actions.refuse("answerStepUp", Self.refusal([.totp, .recoveryCode], token: "second"))
        model.fields.password = goodPassword
        await model.answerStepUp()?.value
        #expect(model.asksForStepUp && model.error == nil && model.stepUpMethods == [.totp, .recoveryCode])
        #expect(model.formFields(of: .stepUp).map(\.entry) == [.code])
        model.fields.code = "123 456"
        await model.answerStepUp()?.value
        await task?.value
        #expect(actions.calls.map(\.description).contains("answerStepUp(totp=123456)"))
        #expect(model.recoveryCodes?.count == 2)
    }

    @Test func `tells a wrong password and a wrong code at their fields`() async throws {
        let (model, task) = await asked([.password, .totp])
        actions.refuse("answerStepUp", .refused(.wrongCredentials))
        model.fields.password = "not mine"
        await model.answerStepUp()?.value
        #expect(model.message(for: try model.field(.password, of: .stepUp)) == AuthTexts.english(.wrongPassword))
        #expect(model.fields.password.isEmpty && model.asksForStepUp)
        model.chooseStepUpMethod(.totp)
        #expect(model.error == nil)
        actions.refuse("answerStepUp", .refused(.codeRefused))
        model.fields.code = "123456"
        await model.answerStepUp()?.value
        #expect(model.message(for: try model.field(.code, of: .stepUp)) == AuthTexts.english(.codeRefused))
        model.cancelStepUp()
        await task?.value
    }

    @Test func `a person who declines sees no error, and can begin again`() async {
        let (model, task) = await asked([.password])
        model.fields.password = "half"
        model.cancelStepUp()
        await task?.value
        #expect(!model.asksForStepUp && model.error == nil && !model.isBusy(.replaceRecoveryCodes))
        #expect(model.fields.password.isEmpty && actions.callNames == ["replaceRecoveryCodes"])
    }

    @Test func `after too much time the action fails, and can be repeated`() async {
        let (model, task) = await asked([.password])
        actions.refuse("answerStepUp", .refused(.challengeRefused))
        model.fields.password = goodPassword
        await model.answerStepUp()?.value
        await task?.value
        #expect(!model.asksForStepUp && model.error?.text == AuthTexts.english(.stepUpExpired))
        await model.retry()?.value
        #expect(model.recoveryCodes?.count == 2)
    }

    @Test func `a retry after the step-up repeats the action, not the answer`() async {
        let (model, task) = await asked([.password])
        actions.refuse("replaceRecoveryCodes", .offline)
        model.fields.password = goodPassword
        await model.answerStepUp()?.value
        await task?.value
        #expect(model.error?.canRetry == true)
        await model.retry()?.value
        #expect(actions.callNames.count { $0 == "answerStepUp" } == 1 && model.recoveryCodes?.count == 2)
    }

    @Test func `without a screen the action fails with the requirement`() async {
        let model = signedIn(isOnScreen: false)
        actions.refuse("replaceRecoveryCodes", Self.refusal([.password]))
        await model.replaceRecoveryCodes()?.value
        #expect(model.error?.text == AuthTexts.english(.stepUpRequired) && !model.asksForStepUp)
    }

    @Test func `a lock hides the question and keeps it, the end of the last screen ends it`() async {
        let (model, task) = await asked([.password])
        actions.enter(.locked)
        await model.until { $0.state == .locked }
        #expect(model.factorSheet(over: "screen") == nil && model.asksForStepUp)
        actions.enter(.signedIn(.sample("here"), verified: true))
        await model.until { $0.isSignedIn }
        #expect(model.factorSheet(over: "screen") == .stepUp)
        model.stepUpPrompt.removePresenter("screen")
        model.stepUpPrompt.addPresenter("another")
        await Task.yield()
        #expect(model.factorSheet(over: "another") == .stepUp)
        model.stepUpPrompt.removePresenter("another")
        await task?.value
        #expect(!model.asksForStepUp && model.error?.text == AuthTexts.english(.stepUpRequired))
    }

    @Test func `where only a new sign-in helps, it says so`() async {
        let model = signedIn()
        actions.refuse("replaceRecoveryCodes", .refused(.stepUpRequired(StepUpRequirement(maximumAgeSeconds: 300))))
        await model.replaceRecoveryCodes()?.value
        #expect(model.error?.text == AuthTexts.english(.stepUpRequired) && !model.asksForStepUp)
    }

    @Test func `asks once for two actions`() async {
        let (model, task) = await asked([.password])
        actions.refuse("addTOTP", Self.refusal([.password]))
        let other = model.addTOTP()
        while model.stepUpPrompt.waitingCount < 2 { await Task.yield() }
        model.fields.password = goodPassword
        await model.answerStepUp()?.value
        await task?.value
        await other?.value
        #expect(actions.callNames.count { $0 == "answerStepUp" } == 1)
        #expect(model.pendingTOTP != nil && model.recoveryCodes != nil)
    }

    @Test func `a requirement that stays after the answer is shown, and not asked for ever`() async {
        let (model, task) = await asked([.password])
        actions.refuse("replaceRecoveryCodes", Self.refusal([.password]))
        model.fields.password = goodPassword
        await model.answerStepUp()?.value
        await task?.value
        #expect(!model.asksForStepUp && model.error?.text == AuthTexts.english(.stepUpRequired))
    }

    @Test func `answers with a passkey, or with a code that is sent`() async {
        let (model, task) = await asked([.passkey, .smsCode, .recoveryCode], passkeys: true)
        #expect(model.stepUpMethod == .passkey && model.stepUpForm == nil)
        actions.refuse("answerStepUpWithPasskey", .refused(.codeRefused))
        await model.answerStepUpWithPasskey()?.value
        #expect(model.error?.text == AuthTexts.english(.credentialRefused) && model.error?.entry == nil)
        await model.chooseStepUpMethod(.smsCode)?.value
        #expect(actions.calls.last?.arguments == ["STEP_UP", "sms_code"] && model.resendSeconds == 60)
        model.chooseStepUpMethod(.passkey)
        await model.answerStepUpWithPasskey()?.value
        await task?.value
        #expect(model.recoveryCodes?.count == 2 && model.resendSeconds == 0)
        let (other, end) = await asked([.passkey, .totp])
        #expect(other.stepUpMethods == [.totp] && other.answerStepUpWithPasskey() == nil)
        other.cancelStepUp()
        await end?.value
    }

    @Test func `keeps what was typed on the screen below, and shows none of it in the question`() async {
        let model = signedIn()
        model.fields.password = "old one"
        model.fields.newPassword = goodPassword
        actions.refuse("changePassword", Self.refusal([.password, .totp]))
        let task = model.changePassword()
        await model.until { $0.asksForStepUp }
        #expect(model.fields.password.isEmpty && model.fields.newPassword.isEmpty)
        model.chooseStepUpMethod(.totp)
        model.fields.code = "123456"
        model.cancelStepUp()
        await task?.value
        #expect(model.fields.password == "old one" && model.fields.newPassword == goodPassword)
        #expect(model.fields.code.isEmpty)
    }

    @Test func `an action whose screen was left asks no longer`() async {
        let (model, task) = await asked([.password])
        model.abandon(.replaceRecoveryCodes)
        await task?.value
        await model.until { !$0.asksForStepUp }
        #expect(model.error == nil)
    }

    @Test func `an action that is abandoned leaves the question to another one that waits`() async {
        let (model, task) = await asked([.password])
        actions.refuse("addTOTP", Self.refusal([.password]))
        let other = model.addTOTP()
        while model.stepUpPrompt.waitingCount < 2 { await Task.yield() }
        model.abandon(.replaceRecoveryCodes)
        await task?.value
        #expect(model.asksForStepUp && model.stepUpPrompt.waitingCount == 1)
        model.fields.password = goodPassword
        await model.answerStepUp()?.value
        await other?.value
        #expect(model.pendingTOTP != nil && model.recoveryCodes == nil && model.error == nil)
    }

    @Test func `an action that is abandoned while it waits for another one's question ends at once`() async {
        let (model, task) = await asked([.password])
        actions.refuse("addTOTP", Self.refusal([.password]))
        let other = model.addTOTP()
        while model.stepUpPrompt.waitingCount < 2 { await Task.yield() }
        model.abandon(.addTOTP)
        await other?.value
        #expect(model.asksForStepUp && model.stepUpPrompt.waitingCount == 1)
        model.abandon(.replaceRecoveryCodes)
        await task?.value
        #expect(!model.asksForStepUp)
    }

    @Test func `the end of the session ends the question`() async {
        let (model, task) = await asked([.password])
        actions.enter(.signedOut(.signedOut))
        await model.until { !$0.isSignedIn }
        await task?.value
        #expect(!model.asksForStepUp && model.recoveryCodes == nil)
    }
}
