import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
@testable import OstiaryUI
import Testing

/// Second factors in the account and in a sign-in, with the client and a server, whose answers state the requirements.
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
