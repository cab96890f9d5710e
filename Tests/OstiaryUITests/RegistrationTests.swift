import Foundation
import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
@testable import OstiaryUI
import Testing

@MainActor @Suite struct RegistrationTests {
    @Test func `registers with an email address, and a name if there is one`() async {
        let actions = ScriptedActions(.vici)
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada@example.com")
        await model.register()?.value
        model.type(identifier: "ada@example.com")
        model.fields.name = " Ada "
        await model.register()?.value
        #expect(
            actions.calls.map(\.arguments) == [
                ["ada@example.com", goodPassword, "-", "false"], ["ada@example.com", goodPassword, "Ada", "false"],
            ])
    }

    @Test func `takes an email address as the username without asking for it twice`() async {
        let actions = ScriptedActions(.viewvault)
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada@example.com")
        await model.register()?.value
        #expect(actions.calls.first?.arguments == ["ada@example.com", "ada@example.com", goodPassword, "-"])
    }

    @Test func `asks for the email address of somebody with another username`() async {
        let actions = ScriptedActions(.viewvault)
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada")
        #expect(!model.canSubmit(.register))
        model.fields.email = "ada@example.com"
        #expect(model.canSubmit(.register))
        await model.register()?.value
        #expect(actions.calls.first?.arguments == ["ada", "ada@example.com", goodPassword, "-"])
    }

    @Test func `does not let people call themselves what a provider's accounts are called`() {
        let model = AuthViewModel.scripted(ScriptedActions(.viewvault))
        model.type(identifier: "auth0|1")
        model.fields.email = "ada@example.com"
        #expect(!model.canSubmit(.register))
        #expect(model.canSubmit(.signIn))
    }

    @Test func `refuses the person's own address as a password before the server has to`() throws {
        let model = AuthViewModel.scripted(ScriptedActions(.vici))
        model.type(identifier: "ada.lovelace@example.com", password: "ada.lovelace7")
        #expect(!model.canSubmit(.register))
        model.leave(.password)
        #expect(
            try model.message(for: model.field(.password, of: .register))
                == model.texts.text(of: .containsIdentifier, in: .password))
    }

    @Test func `tells the server's refusal of a password at the password, and keeps the rest`() async throws {
        let actions = ScriptedActions(.vici)
        actions.refuse("register", .refused(.invalid(.password, .tooCommon)))
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada@example.com")
        model.fields.name = "Ada"
        await model.register()?.value
        #expect(model.error?.entry == .password)
        #expect(
            try model.message(for: model.field(.password, of: .register))
                == "Too many people use this password, so it is guessed first. Choose another.")
        #expect(model.fields.password.isEmpty)
        #expect(model.fields.name == "Ada")
        model.fields.password = "another good one"
        #expect(model.error == nil)
    }

    @Test func `tells that an identifier is taken at the identifier, and keeps the password`() async {
        let actions = ScriptedActions(.vici)
        actions.refuse("register", .refused(.identifierTaken))
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada@example.com")
        await model.register()?.value
        #expect(model.error?.entry == .identifier)
        #expect(model.fields.password == goodPassword)
    }

    @Test func `waits for the owner of an address where the server does`() async {
        let actions = ScriptedActions(.vici)
        actions.refuse("register", .refused(.confirmationRequired))
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada@example.com")
        await model.register()?.value
        #expect(model.step == .confirmationSent)
        #expect(model.error == nil)
        #expect(model.fields.password.isEmpty)
    }

    // MARK: By code

    @Test func `registers a phone number in three steps with one code`() async {
        let actions = ScriptedActions(.barqnet)
        let model = AuthViewModel.scripted(actions)
        model.fields.identifier = "+15551234567"
        await model.requestCode()?.value
        #expect(model.step == .codeSent)
        model.fields.code = "123456"
        await model.verifyCode()?.value
        #expect(model.step == .codeVerified)
        #expect(model.fields.code == "123456")
        model.fields.password = goodPassword
        await model.register()?.value
        #expect(
            actions.calls.map(\.description) == [
                "requestCode(+15551234567)", "verify(+15551234567, 123456)",
                "register(+15551234567, 123456, \(goodPassword))",
            ])
        #expect(model.fields.code.isEmpty)
        #expect(model.fields.password.isEmpty)
        #expect(model.step == .start)
    }

    @Test func `drops a wrong code, and lets another be typed`() async {
        let actions = ScriptedActions(.barqnet)
        actions.refuse("verify", .refused(.codeRefused))
        let model = AuthViewModel.scripted(actions)
        model.fields.identifier = "+15551234567"
        await model.requestCode()?.value
        model.fields.code = "123456"
        await model.verifyCode()?.value
        #expect(model.step == .codeSent)
        #expect(model.error?.entry == .code)
        #expect(model.fields.code.isEmpty)
        model.fields.code = "654321"
        await model.verifyCode()?.value
        #expect(model.step == .codeVerified)
    }

    @Test func `goes back to the code when registering finds it dead`() async {
        let actions = ScriptedActions(.barqnet)
        actions.refuse("register", .refused(.codeRefused))
        let model = AuthViewModel.scripted(actions)
        model.fields.identifier = "+15551234567"
        await model.requestCode()?.value
        model.fields.code = "123456"
        await model.verifyCode()?.value
        model.fields.password = goodPassword
        await model.register()?.value
        #expect(model.step == .codeSent)
        #expect(model.fields.code.isEmpty)
        #expect(model.fields.password == goodPassword)
    }

    @Test func `forgets the code of another number`() async {
        let actions = ScriptedActions(.barqnet)
        let model = AuthViewModel.scripted(actions)
        model.fields.identifier = "+15551234567"
        await model.requestCode()?.value
        model.fields.code = "123456"
        model.fields.identifier = "+15551234568"
        #expect(model.step == .start)
        #expect(model.fields.code.isEmpty)
        #expect(model.verifyCode() == nil)
        #expect(model.resendSeconds == 0)
    }

    @Test func `counts down until another code can be asked for`() async throws {
        let actions = ScriptedActions(.barqnet)
        let clock = TestClock()
        let model = AuthViewModel.scripted(actions, clock: clock)
        model.fields.identifier = "+15551234567"
        await model.requestCode()?.value
        #expect(model.resendSeconds == 60)
        #expect(!model.canSubmit(.requestCode))
        #expect(model.requestCode() == nil)
        try await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await model.until { $0.resendSeconds == 59 }
        try await clock.sleepers(1)
        // The device slept.
        clock.advance(by: .milliseconds(57_500))
        await model.until { $0.resendSeconds == 2 }
        try await clock.sleepers(1)
        clock.advance(by: .seconds(10))
        await model.until { $0.resendSeconds == 0 }
        #expect(model.canSubmit(.requestCode))
        await model.requestCode()?.value
        #expect(actions.callNames == ["requestCode", "requestCode"])
    }

    @Test func `waits as long as the server says`() async {
        let clock = TestClock()
        let actions = ScriptedActions(.barqnet)
        actions.refuse("requestCode", .rateLimited(until: clock.now + 17))
        let model = AuthViewModel.scripted(actions, clock: clock)
        model.fields.identifier = "+15551234567"
        await model.requestCode()?.value
        #expect(model.resendSeconds == 17)
        #expect(model.error?.text == "Too many attempts. Try again in 17 seconds.")
    }

    // MARK: Confirming

    @Test func `finishes a registration with the link out of the mail and the password`() async {
        let actions = ScriptedActions(.vici)
        let model = AuthViewModel.scripted(actions)
        #expect(model.fill(from: .registration(RegistrationLink(token: Secret("t")))) == .confirmRegistration)
        #expect(!model.canSubmit(.confirmRegistration))
        model.fields.password = goodPassword
        #expect(model.canSubmit(.confirmRegistration))
        await model.confirmRegistration()?.value
        #expect(actions.calls.map(\.description) == ["confirmRegistration(t, \(goodPassword))"])
        #expect(model.fields.registrationToken.isEmpty && model.fields.password.isEmpty)
    }

    @Test func `another password than the chosen one is told at the password, and the link is kept`() async {
        let actions = ScriptedActions(.vici)
        actions.refuse("confirmRegistration", .refused(.wrongCredentials))
        let model = AuthViewModel.scripted(actions)
        _ = model.fill(from: .registration(RegistrationLink(token: Secret("t"))))
        model.fields.password = goodPassword
        await model.confirmRegistration()?.value
        #expect(model.error?.entry == .password && model.error?.text == model.texts(.wrongPassword))
        #expect(model.fields.password.isEmpty && model.fields.registrationToken == "t")
    }

    @Test func `a registration's link that is over is dropped, and it says how to get another`() async {
        let actions = ScriptedActions(.vici)
        actions.refuse("confirmRegistration", .refused(.registrationTokenRefused))
        let model = AuthViewModel.scripted(actions)
        _ = model.fill(from: .registration(RegistrationLink(token: Secret("t"))))
        model.fields.password = goodPassword
        await model.confirmRegistration()?.value
        #expect(model.error?.text == model.texts(.registrationTokenRefused))
        #expect(model.fields.registrationToken.isEmpty)
    }
}
