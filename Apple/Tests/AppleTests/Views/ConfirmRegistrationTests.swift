import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

/// The link out of the mail that finishes a registration.
@MainActor struct ConfirmRegistrationTests {
    /// Ada has registered, and has a mail.
    private func registered(_ texts: AuthTexts = .english) async throws -> (Screen, token: String) {
        var rules = TestServerRules.standard
        rules.registersSafely = true
        let screen = try Screen(
            .clarity, texts: texts, rules: rules, look: { $0.locale = .init(identifier: texts.language) })
        try await screen.start()
        _ = try? await screen.server.client().register(email: ada, password: goodPassword)
        return (screen, try #require(screen.server.registrationToken(for: ada)))
    }

    @Test func `a link leads to where the password is asked for, and sends nothing by itself`() async throws {
        let (screen, token) = try await registered()
        try screen.open("clarity://confirm-registration?token=\(token)")
        #expect(screen.title(.finishRegistration) && screen.shows(.finishRegistrationLead))
        #expect(!screen.has("confirmRegistration.registrationToken"))
        #expect(screen.focus == "confirmRegistration.password")
        #expect(try screen.field("confirmRegistration.password").attributes["textContentType"] == "password")
        #expect(try !screen.button("confirmRegistration").enabled)
        #expect(screen.sends(.confirmRegistration) == 0)
    }

    @Test func `the password that was chosen finishes it, and signs in`() async throws {
        let (screen, token) = try await registered()
        try screen.open("clarity://confirm-registration?token=\(token)")
        try screen.host.type("not that one", into: "confirmRegistration.password")
        try screen.host.tap("confirmRegistration")
        try await screen.host.wait("the refusal") { screen.message(at: "confirmRegistration.password") != nil }
        #expect(screen.focus == "confirmRegistration.password")
        try screen.host.type(goodPassword, into: "confirmRegistration.password")
        try screen.host.tap("confirmRegistration")
        try await screen.seesContent()
        #expect(screen.server.users.map { $0.email?.text } == [ada])
    }

    @Test func `says that a link is over, asks for no password again, and leads to a new account`() async throws {
        let (screen, _) = try await registered()
        try screen.open("clarity://confirm-registration?token=old")
        try screen.host.type(goodPassword, into: "confirmRegistration.password")
        try screen.host.tap("confirmRegistration")
        try await screen.titled(.linkOver)
        #expect(screen.shows(.registrationTokenRefused) && !screen.host.has("SecureField"))
        try screen.host.tap("register-link")
        #expect(screen.title(.registerTitle) && screen.model.fields.registrationToken.isEmpty)
        try screen.host.tap("sign-in-link")
        #expect(screen.has("signIn"))
    }

    @Test func `goes back to the sign-in, and forgets the link`() async throws {
        let (screen, token) = try await registered()
        try screen.open("clarity://confirm-registration?token=\(token)")
        try screen.host.tap("back-to-sign-in")
        #expect(screen.has("signIn") && screen.model.fields.registrationToken.isEmpty)
    }

    @Test func `takes the token that stands in the mail, where no link brought it`() async throws {
        let actions = ScriptedActions(.clarity)
        let model = AuthViewModel(actions, texts: .english)
        let host = ShimHost(NavigationStack { ConfirmRegistrationView(model, done: {}) })
        try host.type("the token", into: "confirmRegistration.registrationToken")
        try host.type(goodPassword, into: "confirmRegistration.password")
        try host.tap("confirmRegistration")
        try await host.wait("the end") { actions.callNames == ["confirmRegistration"] }
        #expect(actions.calls.last?.arguments == ["the token", goodPassword])
    }

    @Test(arguments: AuthTexts.all) func pictures(texts: AuthTexts) async throws {
        let (screen, _) = try await registered(texts)
        try screen.open("clarity://confirm-registration?token=old")
        try screen.matches("confirm-registration-\(texts.language)")
        try screen.host.type(goodPassword, into: "confirmRegistration.password")
        try screen.host.tap("confirmRegistration")
        try await screen.titled(.linkOver)
        try screen.matches("confirm-registration-over-\(texts.language)")
    }
}
