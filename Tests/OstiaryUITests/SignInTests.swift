import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
@testable import OstiaryUI
import Testing

@MainActor @Suite struct SignInTests {
    @Test(arguments: [
        ("vici", "signIn( ada@example.com, donau dampf schiff, false)"),
        ("clarity", "signIn( ada@example.com, donau dampf schiff, true)"),
        ("viewvault", "signIn( ada@example.com, donau dampf schiff, false)"),
    ])
    func `signs in with what was typed, trimmed`(name: String, call: String) async throws {
        let actions = ScriptedActions(try #require(Contract.preset(name)))
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: " ada@example.com ")
        model.fields.rememberMe = name == "clarity"
        await model.signIn()?.value
        #expect(actions.calls.map(\.description) == [call.replacing("( ", with: "(")])
        #expect(model.error == nil)
    }

    @Test func `signs in with a phone number in its one form`() async {
        let actions = ScriptedActions(.barqnet)
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "+1 (555) 123-4567")
        await model.signIn()?.value
        #expect(actions.calls.first?.arguments == ["+15551234567", goodPassword, "false"])
    }

    @Test func `follows the client to whoever is signed in`() async {
        let actions = ScriptedActions(.vici)
        actions.signInAs(.sample("one"))
        let model = AuthViewModel.scripted(actions)
        #expect(!model.isSignedIn)
        model.type(identifier: "ada@example.com")
        await model.signIn()?.value
        await model.until { $0.isSignedIn }
        #expect(model.user == User.ada)
    }

    @Test func `sends nothing while a field is not good, and says what is wrong there`() throws {
        let actions = ScriptedActions(.vici)
        let model = AuthViewModel.scripted(actions)
        model.fields.identifier = "ada@"
        #expect(!model.canSubmit(.signIn))
        #expect(try model.message(for: model.field(.identifier, of: .signIn)) == nil)
        #expect(model.signIn() == nil)
        #expect(actions.calls.isEmpty)
        #expect(
            try model.message(for: model.field(.identifier, of: .signIn))
                == "This is not an email address. It looks like name@example.com.")
        #expect(try model.message(for: model.field(.password, of: .signIn)) == "Type a password.")
    }

    @Test func `takes any password that somebody has, whatever new ones must be`() {
        let model = AuthViewModel.scripted(ScriptedActions(.vici))
        model.type(identifier: "ada@example.com", password: "1234")
        #expect(model.canSubmit(.signIn))
        #expect(!model.canSubmit(.register))
    }

    @Test func `tells wrong credentials kindly, and drops the password`() async {
        let actions = ScriptedActions(.vici)
        actions.refuse("signIn", .refused(.wrongCredentials))
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada@example.com")
        await model.signIn()?.value
        #expect(model.error?.text == "The email or the password is not correct. Check both and try again.")
        #expect(model.error?.canRetry == false)
        #expect(model.fields.identifier == "ada@example.com")
        #expect(model.fields.password.isEmpty)
        #expect(!model.isBusy(.signIn))
    }

    @Test func `remembers people by whatever they sign in with`() async {
        let actions = ScriptedActions(.sixth)
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "+15551234567")
        model.fields.rememberMe = true
        await model.signIn()?.value
        #expect(actions.calls.first?.arguments == ["+15551234567", goodPassword, "true"])
    }

    @Test func `signs in with a token that the device got itself`() async {
        let actions = ScriptedActions(.vici)
        let model = AuthViewModel.scripted(actions)
        await model.signIn(identityToken: "token", provider: "apple", nonce: "nonce", name: "Ada").value
        #expect(actions.calls.map(\.description) == ["identityToken(token, apple, nonce, Ada)"])
    }

    @Test func `asks for a new password where the provider wants one, and goes on`() async throws {
        let actions = ScriptedActions(.clarity)
        let challenge = Challenge(name: "NEW_PASSWORD_REQUIRED", token: Secret("t"))
        actions.refuse("signIn", .refused(.challengeRequired(challenge)))
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada@example.com")
        await model.signIn()?.value
        #expect(model.step == .challenge("NEW_PASSWORD_REQUIRED"))
        #expect(model.error == nil)
        #expect(model.fields.password.isEmpty)

        #expect(model.formFields(of: .answerChallenge).map(\.entry) == [.newPassword])
        model.fields.newPassword = "ada@example.com"
        #expect(!model.canSubmit(.answerChallenge))
        model.fields.newPassword = goodPassword
        await model.answerChallenge()?.value
        #expect(actions.calls.last?.arguments == ["NEW_PASSWORD_REQUIRED", "NEW_PASSWORD=\(goodPassword)"])
        #expect(model.step == .start)
        #expect(model.fields.newPassword.isEmpty)
    }

    @Test(arguments: [("SMS_MFA", "SMS_MFA_CODE"), ("SOFTWARE_TOKEN_MFA", "SOFTWARE_TOKEN_MFA_CODE")])
    func `asks for the code of a second factor`(challenge: String, answer: String) async {
        let actions = ScriptedActions(.clarity)
        actions.refuse("signIn", .refused(.challengeRequired(Challenge(name: challenge, token: Secret("t")))))
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada@example.com")
        await model.signIn()?.value
        model.fields.code = "123 456"
        await model.answerChallenge()?.value
        #expect(actions.calls.last?.arguments == [challenge, "\(answer)=123456"])
    }

    // MARK: Second factors

    private func challenged(
        _ methods: [ChallengeMethod], passkeys: (any PasskeyCredentialProvider)? = nil, rememberDeviceDays: Int? = nil
    ) async -> (model: AuthViewModel, actions: ScriptedActions) {
        let actions = ScriptedActions(.clarity)
        let challenge = Challenge(
            name: Challenge.secondFactor, token: Secret("t"), methods: methods, rememberDeviceDays: rememberDeviceDays)
        actions.refuse("signIn", .refused(.challengeRequired(challenge)))
        var options = AuthViewModel.Options()
        options.passkeys = passkeys
        let model = AuthViewModel(actions, texts: .english, options: options)
        model.type(identifier: "ada@example.com")
        await model.signIn()?.value
        return (model, actions)
    }

    @Test func `offers the methods of a second factor that can be used here`() async {
        let (model, _) = await challenged([.passkey, .totp, .smsCode, .recoveryCode])
        #expect(model.challengeMethods == [.totp, .smsCode, .recoveryCode] && model.challengeMethod == .totp)
        let (other, _) = await challenged([.passkey, .totp, .smsCode, .recoveryCode], passkeys: TestPasskeys())
        #expect(other.challengeMethods == [.passkey, .totp, .smsCode, .recoveryCode])
        #expect(other.challengeMethod == .passkey)
        #expect(other.challengeForm == nil && other.error == nil)
    }

    @Test func `sends a code when it is chosen, and again when the wait is over`() async {
        let (model, actions) = await challenged([.totp, .smsCode])
        #expect(!model.sendsChallengeCode && model.sendChallengeCode() == nil)
        let sending = model.chooseMethod(.smsCode)
        #expect(model.isBusy(.challengeCode))
        // A second tap sends no second code.
        _ = model.sendChallengeCode()
        await sending?.value
        #expect(actions.calls.last?.arguments == ["SECOND_FACTOR", "sms_code"])
        #expect(actions.calls.count { $0.name == "sendCode" } == 1)
        #expect(model.resendSeconds == 60 && model.sendChallengeCode() == nil)
        #expect(model.formFields(of: .answerChallenge).map(\.entry) == [.code])
        model.fields.code = "123456"
        await model.answerChallenge()?.value
        #expect(actions.calls.last?.arguments == ["SECOND_FACTOR", "sms_code=123456"])
        #expect(model.step == .start && model.resendSeconds == 0)
    }

    @Test func `waits as long as the server says before the next code`() async {
        let (model, actions) = await challenged([.emailCode, .recoveryCode])
        actions.refuse("sendCode", .refused(.tooManyAttempts(retryAfterSeconds: 480)))
        await model.sendChallengeCode()?.value
        #expect(model.error != nil && model.resendSeconds == 480)
        #expect(model.challengeMethods == [.emailCode, .recoveryCode])
    }

    @Test func `a challenge that has expired leads back to the password`() async {
        let (model, actions) = await challenged([.smsCode])
        actions.refuse("sendCode", .refused(.challengeRefused))
        await model.sendChallengeCode()?.value
        #expect(model.step == .start && model.error != nil)
    }

    @Test func `takes a recovery code in the place of the authenticator app`() async {
        let (model, actions) = await challenged([.totp, .recoveryCode])
        model.fields.code = "123456"
        model.chooseMethod(.recoveryCode)
        #expect(model.fields.code.isEmpty)
        #expect(model.formFields(of: .answerChallenge).map(\.entry) == [.recoveryCode])
        for (text, verdict) in [
            ("", InputVerdict.empty), ("ABCDE-FGH", .incomplete(.malformed)), ("abcde fghjk", .good),
            ("ABCDE-FGHJKM", .invalid(.malformed)), ("ABCDE-FGHJ!", .invalid(.malformed)),
        ] {
            model.fields.recoveryCode = text
            #expect(model.formFields(of: .answerChallenge).map { model.verdict(of: $0) } == [verdict])
        }
        model.fields.recoveryCode = "ABCDE-FGHJK"
        actions.refuse("answer", .refused(.codeRefused))
        await model.answerChallenge()?.value
        #expect(model.error?.entry == .recoveryCode && model.fields.recoveryCode.isEmpty)
        model.fields.recoveryCode = "ABCDE-FGHJM"
        await model.answerChallenge()?.value
        #expect(actions.calls.last?.arguments == ["SECOND_FACTOR", "recovery_code=ABCDE-FGHJM"])
        #expect(model.step == .start && model.fields.recoveryCode.isEmpty)
    }

    @Test func `remembers the device if the person chooses it, where the server does`() async {
        let methods: [ChallengeMethod] = [.totp, .passkey, .recoveryCode]
        let (never, _) = await challenged(methods)
        #expect(never.rememberDeviceDays == nil && never.formFields(of: .answerChallenge).map(\.entry) == [.code])

        let (model, actions) = await challenged(methods, passkeys: TestPasskeys(), rememberDeviceDays: 30)
        #expect(model.rememberDeviceDays == 30 && !model.fields.rememberDevice)
        #expect(model.formFields(of: .answerChallenge).map(\.entry) == [.code, .rememberDevice])
        model.fields.rememberDevice = true
        model.fields.code = "123456"
        actions.refuse("answer", .refused(.codeRefused))
        await model.answerChallenge()?.value
        #expect(model.fields.rememberDevice && model.fields.code.isEmpty)
        model.fields.code = "123456"
        await model.answerChallenge()?.value
        #expect(actions.calls.last?.arguments == ["SECOND_FACTOR", "totp=123456&remember_device"])
    }

    @Test func `remembers no device for a recovery code, and asks anew at each challenge`() async {
        let methods: [ChallengeMethod] = [.passkey, .recoveryCode]
        let (model, actions) = await challenged(methods, passkeys: TestPasskeys(), rememberDeviceDays: 1)
        model.fields.rememberDevice = true
        actions.refuse("answerWithPasskey", .cancelledByUser)
        await model.answerWithPasskey()?.value
        #expect(actions.calls.last?.arguments == ["SECOND_FACTOR&remember_device"])
        model.chooseMethod(.recoveryCode)
        #expect(model.rememberDeviceDays == nil)
        #expect(model.formFields(of: .answerChallenge).map(\.entry) == [.recoveryCode])
        model.fields.recoveryCode = "ABCDE-FGHJK"
        actions.refuse("answer", .refused(.challengeRefused))
        await model.answerChallenge()?.value
        #expect(actions.calls.last?.arguments == ["SECOND_FACTOR", "recovery_code=ABCDE-FGHJK"])
        let challenge = Challenge(name: Challenge.secondFactor, token: Secret("u"), methods: methods)
        actions.refuse("signIn", .refused(.challengeRequired(challenge)))
        model.type(identifier: "ada@example.com")
        await model.signIn()?.value
        #expect(model.challengeMethod == .passkey && !model.fields.rememberDevice)
        model.fields.rememberDevice = true
        model.startOver()
        #expect(!model.fields.rememberDevice)
    }

    @Test func `answers with a passkey, and stays where that fails`() async {
        let (model, actions) = await challenged([.passkey, .recoveryCode], passkeys: TestPasskeys())
        actions.refuse("answerWithPasskey", .cancelledByUser)
        await model.answerWithPasskey()?.value
        #expect(model.error == nil && model.challengeMethod == .passkey)
        actions.refuse("answerWithPasskey", .refused(.codeRefused))
        await model.answerWithPasskey()?.value
        #expect(model.error != nil && model.error?.entry == nil)
        await model.answerWithPasskey()?.value
        #expect(model.step == .start && model.error == nil)
    }

    @Test func `signs in with a passkey where the app has passkeys`() async {
        let actions = ScriptedActions(.clarity)
        #expect(!AuthViewModel.scripted(actions).offersPasskeySignIn)
        #expect(AuthViewModel.scripted(actions).signInWithPasskey() == nil)
        var options = AuthViewModel.Options()
        options.passkeys = TestPasskeys()
        let model = AuthViewModel(actions, texts: .english, options: options)
        actions.refuse("signInWithPasskey", .refused(.wrongCredentials))
        await model.signInWithPasskey()?.value
        #expect(model.error?.entry == nil && model.error != nil)
        await model.signInWithPasskey()?.value
        #expect(actions.calls.last?.arguments == ["false"] && model.error == nil)
    }

    @Test func `begins anew where the provider waits no longer`() async {
        let actions = ScriptedActions(.clarity)
        actions.refuse("signIn", .refused(.challengeRequired(Challenge(name: "SMS_MFA", token: Secret("t")))))
        actions.refuse("answer", .refused(.challengeRefused))
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada@example.com")
        await model.signIn()?.value
        model.fields.code = "123456"
        await model.answerChallenge()?.value
        #expect(model.step == .start)
        #expect(model.error?.text == "This step has expired. Sign in again.")
        #expect(model.fields.code.isEmpty)
    }

    @Test func `lets a wrong code of a second factor be typed again`() async {
        let actions = ScriptedActions(.clarity)
        actions.refuse("signIn", .refused(.challengeRequired(Challenge(name: "SMS_MFA", token: Secret("t")))))
        actions.refuse("answer", .refused(.codeRefused))
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada@example.com")
        await model.signIn()?.value
        model.fields.code = "123456"
        await model.answerChallenge()?.value
        #expect(model.step == .challenge("SMS_MFA"))
        #expect(model.error?.entry == .code)
        model.fields.code = "654321"
        await model.answerChallenge()?.value
        #expect(actions.calls.last?.arguments == ["SMS_MFA", "SMS_MFA_CODE=654321"])
    }

    @Test func `says so where a step cannot be taken here`() async {
        let actions = ScriptedActions(.clarity)
        actions.refuse("signIn", .refused(.challengeRequired(Challenge(name: "RETINA", token: Secret("t")))))
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada@example.com")
        await model.signIn()?.value
        #expect(model.challengeForm == nil)
        #expect(model.error?.text == "One more step is needed to sign in, which this app cannot take.")
        #expect(model.answerChallenge() == nil)
    }
}
