import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

@MainActor struct CodeViewTests {
    private let number = "+4930123456"

    private func asked() async throws -> Screen {
        let screen = try Screen(.barqnet)
        try await screen.start()
        try screen.host.tap("register-link")
        try screen.host.type(number, into: "requestCode.identifier")
        try screen.host.tap("requestCode")
        try await screen.host.wait("the code") { screen.has("verifyCode.code") }
        return screen
    }

    private func code(_ screen: Screen) throws -> String { try #require(screen.server.code(for: number)) }

    @Test func `registers with a number, the code that was sent there, and a password`() async throws {
        let screen = try await asked()
        #expect(screen.host.has("Text", "We have sent you a code to \(number)."))
        try screen.host.type(code(screen), into: "verifyCode.code")
        try screen.host.tap("verifyCode")
        try await screen.host.wait("the password") { screen.has("register.password") }
        #expect(screen.focus == "register.password")
        try screen.host.type(goodPassword, into: "register.password")
        try screen.host.tap("register")
        try await screen.seesContent()
    }

    @Test func `begins with the number`() async throws {
        let screen = try Screen(.barqnet)
        try await screen.start()
        try screen.host.tap("register-link")
        #expect(screen.focus == "requestCode.identifier")
        #expect(try screen.field("requestCode.identifier").attributes["textContentType"] == "telephoneNumber")
        #expect(try !screen.button("requestCode").enabled)
    }

    @Test func `takes the code from the message that just came`() async throws {
        let screen = try await asked()
        let field = try screen.field("verifyCode.code")
        #expect(field.attributes["textContentType"] == "oneTimeCode")
        #if canImport(UIKit)
        #expect(field.attributes["keyboardType"] == "numberPad")
        #endif
        #expect(screen.focus == "verifyCode.code")
    }

    @Test func `tells a wrong code at the code`() async throws {
        let screen = try await asked()
        let wrong = try code(screen) == "000000" ? "000001" : "000000"
        try screen.host.type(wrong, into: "verifyCode.code")
        try screen.host.tap("verifyCode")
        try await screen.sees(.codeRefused)
        #expect(screen.message(at: "verifyCode.code") == AuthTexts.english(.codeRefused))
        #expect(try screen.field("verifyCode.code").value == "")
        #expect(screen.focus == "verifyCode.code")
    }

    @Test func `counts down to the next code, and sends it then`() async throws {
        let screen = try await asked()
        #expect(try !screen.button("resend").enabled)
        #expect(screen.host.has("Text", "You can ask for a new code in 60 seconds."))
        try await screen.server.clock.sleepers(1)
        screen.server.clock.advance(by: .seconds(1))
        try await screen.sees("You can ask for a new code in 59 seconds.")
        try await screen.server.clock.sleepers(1)
        screen.server.clock.advance(by: .seconds(59))
        try await screen.host.wait("the end of it") { (try? screen.button("resend").enabled) == true }
        try screen.host.tap("resend")
        try await screen.host.wait("another wait") { (try? screen.button("resend").enabled) == false }
        try await screen.sees("You can ask for a new code in 60 seconds.")
        #expect(screen.server.messages.count == 2)
    }

    @Test func `takes another number`() async throws {
        let screen = try await asked()
        try screen.host.tap("other-number")
        #expect(screen.has("requestCode") && !screen.has("verifyCode"))
        #expect(try screen.field("requestCode.identifier").value == number)
    }

    @Test func `forgets the code of whoever goes back`() async throws {
        let screen = try await asked()
        try screen.host.tap("Back")
        #expect(screen.has("signIn"))
        try screen.host.tap("register-link")
        #expect(screen.has("requestCode"))
    }
}

@MainActor struct ChallengeViewTests {
    private func challenged(_ challenge: TestChallenge) async throws -> Screen {
        let screen = try Screen(.clarity)
        try screen.server.addAccount(email: "ada@example.com", password: goodPassword)
        screen.server.challenge("ada@example.com", with: challenge)
        try await screen.start()
        try screen.type(["signIn.identifier": "ada@example.com", "signIn.password": goodPassword])
        try screen.host.tap("signIn")
        try await screen.host.wait("the challenge") {
            screen.host.has("NavigationTitle", AuthTexts.english(.challengeTitle))
        }
        return screen
    }

    @Test func `asks for a new password, and goes on with it`() async throws {
        let screen = try await challenged(.newPassword)
        #expect(screen.host.has("Text", AuthTexts.english(.challengePassword)))
        #expect(try screen.field("answerChallenge.newPassword").attributes["textContentType"] == "newPassword")
        #expect(screen.focus == "answerChallenge.newPassword")
        try screen.host.type("elbe dampf schiff", into: "answerChallenge.newPassword")
        try screen.host.tap("answerChallenge")
        try await screen.seesContent()
    }

    @Test func `asks for the code from the message`() async throws {
        let screen = try await challenged(.smsCode("123456"))
        #expect(try screen.field("answerChallenge.code").attributes["textContentType"] == "oneTimeCode")
        try screen.host.type("123456", into: "answerChallenge.code")
        try screen.host.tap("answerChallenge")
        try await screen.seesContent()
    }

    @Test func `switches from the authenticator app to a recovery code`() async throws {
        let screen = try Screen(.clarity)
        let other = try screen.server.client()
        try await other.register(email: "ada@example.com", password: goodPassword)
        let pending = try await other.addTOTP()
        let authenticator = try #require(TestAuthenticator(uri: pending.uri.reveal()))
        let codes = try await other.confirmTOTP(pending, code: authenticator.code(at: screen.server.clock.now))
        try await screen.start()
        try screen.type(["signIn.identifier": "ada@example.com", "signIn.password": goodPassword])
        try screen.host.tap("signIn")
        try await screen.host.wait("the challenge") { screen.has("answerChallenge.code") }
        #expect(screen.focus == "answerChallenge.code")
        try screen.host.tap("use-recovery_code")
        #expect(screen.host.has("Text", AuthTexts.english(.challengeRecoveryCode)))
        #expect(!screen.has("answerChallenge.code") && screen.has("use-totp"))
        try screen.host.type(try #require(codes?.first).reveal(), into: "answerChallenge.recoveryCode")
        try screen.host.tap("answerChallenge")
        try await screen.seesContent()
    }

    private func secondFactor(
        texts: AuthTexts = .english, rememberDeviceDays: Int, passkeys: TestPasskeys? = nil
    ) async throws -> (screen: Screen, authenticator: TestAuthenticator) {
        var rules = TestServerRules.standard
        rules.rememberDeviceDays = rememberDeviceDays
        let screen = try Screen(.vici, texts: texts, rules: rules, passkeys: passkeys)
        let other = try screen.server.client()
        try await other.register(email: ada, password: goodPassword)
        let pending = try await other.addTOTP()
        let authenticator = try #require(TestAuthenticator(uri: pending.uri.reveal()))
        _ = try await other.confirmTOTP(pending, code: authenticator.code(at: screen.server.clock.now))
        if let passkeys { _ = try await other.addPasskey(from: passkeys) }
        screen.server.clock.advance(by: .seconds(30))
        try await screen.start()
        try screen.type(["signIn.identifier": ada, "signIn.password": goodPassword])
        try screen.host.tap("signIn")
        try await screen.titled(.challengeTitle)
        return (screen, authenticator)
    }

    @Test func `remembers the device that the person chooses to remember`() async throws {
        let (screen, authenticator) = try await secondFactor(rememberDeviceDays: 30)
        let id = "answerChallenge.rememberDevice"
        #expect(try screen.button(id).label == "Do not ask again on this device for 30 days")
        #expect(try screen.button(id).value == "false")
        try screen.host.tap("use-recovery_code")
        #expect(!screen.has(id))
        try screen.host.tap("use-totp")
        try screen.host.tap(id)
        try screen.host.type(authenticator.code(at: screen.server.clock.now), into: "answerChallenge.code")
        try screen.host.tap("answerChallenge")
        try await screen.seesContent()
        try await screen.auth.signOut()
        try await screen.host.wait("the sign-in") { screen.shows("signIn") }
        try screen.type(["signIn.identifier": ada, "signIn.password": goodPassword])
        try screen.host.tap("signIn")
        try await screen.seesContent()
    }

    @Test func `remembers the device after a passkey, and offers it only where the server does`() async throws {
        let passkeys = TestPasskeys()
        let (screen, _) = try await secondFactor(rememberDeviceDays: 1, passkeys: passkeys)
        try screen.host.tap("answerChallenge.rememberDevice")
        #expect(screen.has("answer-passkey"))
        #expect(try screen.button("answerChallenge.rememberDevice").label == screen.texts(.rememberDeviceOneDay))
        try screen.host.tap("answer-passkey")
        try await screen.seesContent()
        #expect(screen.network.calls.contains { $0.bodyText.contains("\"rememberDevice\":true") })
        let (other, _) = try await secondFactor(rememberDeviceDays: 0)
        #expect(other.has("answerChallenge.code") && !other.has("answerChallenge.rememberDevice"))
    }

    @Test(arguments: [("en", AuthTexts.english), ("de", .german)])
    func `snapshot of a second factor`(language: String, texts: AuthTexts) async throws {
        let (screen, _) = try await secondFactor(texts: texts, rememberDeviceDays: 30)
        try screen.matches("second-factor-\(language)")
    }

    @Test func `has a code sent, and shows the wait for the next one`() async throws {
        let screen = try Screen(.barqnet)
        let number = "+15551234567"
        try screen.server.addAccount(phoneNumber: number, password: goodPassword)
        let other = try screen.server.client()
        try await other.signIn(phoneNumber: number, password: goodPassword)
        let pending = try await other.addTOTP()
        let authenticator = try #require(TestAuthenticator(uri: pending.uri.reveal()))
        _ = try await other.confirmTOTP(pending, code: authenticator.code(at: screen.server.clock.now))
        try await screen.start()
        try screen.type(["signIn.identifier": number, "signIn.password": goodPassword])
        try screen.host.tap("signIn")
        try await screen.host.wait("the challenge") { screen.has("answerChallenge.code") }
        #expect(!screen.has("resend") && !screen.has("resend-wait"))
        try screen.host.tap("use-sms_code")
        try await screen.host.wait("the code") { screen.has("resend-wait") }
        let code = try #require(screen.server.code(for: number))
        try screen.host.type(code, into: "answerChallenge.code")
        try screen.host.tap("answerChallenge")
        try await screen.seesContent()
    }

    @Test func `leads back from a step that cannot be taken here`() async throws {
        let screen = try await challenged(TestChallenge(name: "RETINA", answers: [:]))
        #expect(screen.error == AuthTexts.english(.challengeRequired))
        try screen.host.tap("back-to-sign-in")
        #expect(screen.has("signIn") && screen.error == nil)
    }

    @Test func `goes back to the sign-in, and says why, when the provider waits no longer`() async throws {
        let screen = try await challenged(.newPassword)
        screen.server.clock.advance(by: .seconds(1000))
        try screen.host.type("elbe dampf schiff", into: "answerChallenge.newPassword")
        try screen.host.tap("answerChallenge")
        try await screen.host.wait("the sign-in") { screen.has("signIn") }
        #expect(screen.error == AuthTexts.english(.challengeRefused))
    }
}
