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

/// The same with the client and a server, whose answers state the requirements.
@MainActor @Suite(.timeLimit(.minutes(5))) struct FactorServerTests {
    private static let email = "ada@example.com"

    private struct App {
        let server: TestServer
        let auth: AuthClient
        let model: AuthViewModel
    }

    private func signedIn(
        _ contract: Contract = .vici, passkeys: TestPasskeys? = nil, handlesRequests: Bool = false
    ) async throws -> App {
        let server = try TestServer(contract)
        var options = AuthViewModel.Options()
        options.system = server.clock.system
        options.passkeys = passkeys
        let auth = try server.client { if handlesRequests { $0.stepUpHandler = StepUpPrompt() } }
        try await auth.register(email: Self.email, password: goodPassword)
        let model = AuthViewModel(auth, texts: .english, options: options)
        model.stepUpPrompt.addPresenter("screen")
        await model.until { $0.isSignedIn }
        return App(server: server, auth: auth, model: model)
    }

    private func addAuthenticator(_ app: App) async throws -> TestAuthenticator {
        await app.model.addTOTP()?.value
        let pending = try #require(app.model.pendingTOTP)
        let authenticator = try #require(TestAuthenticator(uri: pending.uri.reveal()))
        app.model.fields.code = authenticator.code(at: app.server.clock.now)
        await app.model.confirmTOTP()?.value
        return authenticator
    }

    @Test(arguments: [Contract.vici, .clarity])
    func `adds a factor, and removes it after the password and a code`(contract: Contract) async throws {
        let app = try await signedIn(contract)
        let (model, clock) = (app.model, app.server.clock)
        let authenticator = try await addAuthenticator(app)
        #expect(model.recoveryCodes?.count == 10)
        model.didSaveRecoveryCodes()
        await model.until { $0.factors?.factors.count == 1 && $0.running.isEmpty }
        #expect(model.recoveryCodesLeftText == "10 codes left" && model.securityLead == .securityOn)

        clock.advance(by: .seconds(301))
        let factor = try #require(model.factors?.factors.first)
        let removal = model.removeFactor(factor.id)
        await model.until { $0.asksForStepUp }
        #expect(model.stepUpMethods == [.password, .totp, .recoveryCode])
        model.fields.password = goodPassword
        await model.answerStepUp()?.value
        #expect(model.stepUpMethods == [.totp, .recoveryCode] && model.error == nil)
        model.fields.code = authenticator.code(at: clock.now)
        await model.answerStepUp()?.value
        await removal?.value
        await model.until { $0.factors?.factors.isEmpty == true && $0.running.isEmpty }
        #expect(model.error == nil && model.notices == [.factorRemoved] && model.securityLead == .securityLead)
    }

    @Test func `adds a passkey, and steps up with it`() async throws {
        let app = try await signedIn(passkeys: TestPasskeys())
        let model = app.model
        await model.addPasskey()?.value
        #expect(model.recoveryCodes?.count == 10)
        app.server.clock.advance(by: .seconds(301))
        let replacement = model.replaceRecoveryCodes()
        await model.until { $0.asksForStepUp }
        model.chooseStepUpMethod(.passkey)
        await model.answerStepUpWithPasskey()?.value
        await replacement?.value
        #expect(model.error == nil && model.recoveryCodes?.count == 10)
        await model.addPasskey()?.value
        #expect(model.error?.text == AuthTexts.english(.passkeyExists))
    }

    @Test func `a server without passkeys takes the button away`() async throws {
        var rules = TestServerRules()
        rules.passkeyDomain = nil
        let server = try TestServer(.vici, rules: rules)
        let auth = try server.client()
        try await auth.register(email: Self.email, password: goodPassword)
        var options = AuthViewModel.Options()
        options.passkeys = TestPasskeys()
        let model = AuthViewModel(auth, texts: .english, options: options)
        await model.until { $0.isSignedIn }
        #expect(model.addableFactors == [.totp, .passkey])
        await model.addPasskey()?.value
        #expect(model.error?.text == AuthTexts.english(.factorUnavailable) && model.addableFactors == [.totp])
    }

    @Test func `asks for the app's own requests, and repeats them`() async throws {
        let app = try await signedIn(handlesRequests: true)
        app.server.route("POST", "/payments", maxAge: .seconds(300)) { _ in .json(#""paid""#) }
        app.server.clock.advance(by: .seconds(301))
        let payment = Task { () async throws -> String in try await app.auth.post("/payments") }
        await app.model.until { $0.asksForStepUp }
        app.model.fields.password = goodPassword
        await app.model.answerStepUp()?.value
        #expect(try await payment.value == "paid")
        app.server.clock.advance(by: .seconds(301))
        let declined = Task { () async throws -> String in try await app.auth.post("/payments") }
        await app.model.until { $0.asksForStepUp }
        app.model.cancelStepUp()
        await #expect(throws: ClientError.cancelledByUser) { try await declined.value }
    }

    // MARK: Accounts that must have a factor

    private func mustAddFactor(
        passkeys: TestPasskeys? = nil
    ) async throws -> App {
        var rules = TestServerRules.standard
        rules.requiresSecondFactor = true
        let server = try TestServer(.vici, rules: rules)
        try server.addAccount(email: Self.email, password: goodPassword)
        var options = AuthViewModel.Options()
        options.system = server.clock.system
        options.passkeys = passkeys
        let auth = try server.client()
        let model = AuthViewModel(auth, texts: .english, options: options)
        model.type(identifier: Self.email)
        await model.signIn()?.value
        return App(server: server, auth: auth, model: model)
    }

    @Test func `a sign-in that must add a factor adds an authenticator app, and enters`() async throws {
        let app = try await mustAddFactor()
        let model = app.model
        #expect(model.mustAddFactor && model.error == nil && model.addableFactors == [.totp] && !model.isSignedIn)
        let authenticator = try await addAuthenticator(app)
        await model.until { $0.isSignedIn && $0.running.isEmpty }
        #expect(model.recoveryCodes?.count == 10 && !model.mustAddFactor && !model.isEntered && model.step == .start)
        model.didSaveRecoveryCodes()
        #expect(model.isEntered)
        await model.loadFactors()?.value
        #expect(model.factors?.isRequired == true && model.securityLead == .securityRequired)
        #expect(authenticator.code(at: app.server.clock.now).utf8.count == 6)
    }

    @Test func `a sign-in that must add a factor adds a passkey, and enters`() async throws {
        let app = try await mustAddFactor(passkeys: TestPasskeys())
        #expect(app.model.addableFactors == [.passkey, .totp])
        await app.model.addPasskey()?.value
        await app.model.until { $0.isSignedIn && $0.running.isEmpty }
        #expect(app.model.recoveryCodes?.count == 10 && app.auth.isAuthenticated)
    }

    @Test func `a sign-in that took too long begins with the password again`() async throws {
        let app = try await mustAddFactor()
        let model = app.model
        app.server.clock.advance(by: .seconds(601))
        await model.addTOTP()?.value
        #expect(model.step == .start && !model.mustAddFactor && model.pendingTOTP == nil)
        #expect(model.error?.text == AuthTexts.english(.challengeRefused) && model.error?.canRetry == false)
    }

    @Test func `going back gives up the sign-in that must add a factor`() async throws {
        let app = try await mustAddFactor()
        await app.model.addTOTP()?.value
        app.model.startOver()
        #expect(app.model.pendingTOTP == nil && !app.model.mustAddFactor && app.model.addTOTP() == nil)
    }

    @Test func `changes the password of an account with a factor after a code`() async throws {
        let app = try await signedIn()
        let authenticator = try await addAuthenticator(app)
        app.server.clock.advance(by: .seconds(301))
        let model = app.model
        model.fields.password = goodPassword
        model.fields.newPassword = "glockenblume am morgen"
        let change = model.changePassword()
        await model.until { $0.asksForStepUp }
        // The password in the request counts for the request alone: the session needs both.
        while let method = model.stepUpMethod {
            if method == .password {
                model.fields.password = goodPassword
            } else {
                model.fields.code = authenticator.code(at: app.server.clock.now)
            }
            await model.answerStepUp()?.value
            try #require(model.error == nil)
        }
        await change?.value
        #expect(model.error == nil && model.notices.contains(.passwordChanged))
    }
}
