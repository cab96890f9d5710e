import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryUI
@testable import SwiftUI

@MainActor struct ForgottenPasswordTests {
    private static let newPassword = "glockenblume am morgen"
    private static let phone = "+15551234561"

    private func signedOut(_ contract: Contract = .vici, clock: TestClock = TestClock()) async throws -> Screen {
        let screen = try Screen(inside: contract, clock: clock) { model in NavigationStack { AccountView(model) } }
        try await screen.start()
        return screen
    }

    private func token(_ screen: Screen) async throws -> String {
        _ = try await screen.server.remote().perform(RequestPasswordReset(email: try EmailAddress(ada)))
        return try #require(screen.server.resetToken(for: ada))
    }

    // MARK: Asking for a link

    @Test func `sends a link to the address, and leads back to the sign-in`() async throws {
        let screen = try await signedOut()
        try screen.open("vici://forgot-password?email=ada@example.com")
        #expect(screen.title(.resetRequest) && screen.shows(.resetRequestLead))
        #expect(try screen.field("requestPasswordReset.identifier").value == ada)
        // A link may come from an attacker.
        #expect(screen.network.calls.isEmpty)
        try screen.host.tap("requestPasswordReset")
        try await screen.titled(.checkMail)
        #expect(screen.shows(.resetSent) && screen.shows(.noMail))
        #expect(screen.server.resetToken(for: ada) != nil)
        try screen.host.tap("back-to-sign-in")
        #expect(screen.shows("signIn"))
    }

    @Test func `shows the same whoever has an account`() async throws {
        var shown: Set<String> = []
        for email in [ada, "stranger@example.com"] {
            let screen = try await signedOut()
            try screen.open("vici://forgot-password?email=\(email)")
            try screen.host.tap("requestPasswordReset")
            try await screen.titled(.checkMail)
            shown.insert(screen.host.snapshot())
        }
        #expect(shown.count == 1)
    }

    // MARK: With the link

    @Test func `chooses a new password with the link, and signs in with it`() async throws {
        let screen = try await signedOut()
        try screen.open("vici://reset-password?token=\(try await token(screen))")
        #expect(screen.title(.resetPassword) && screen.shows(.resetPasswordNote))
        #expect(!screen.shows("resetPassword.resetToken"))
        #expect(screen.asked(.resetPassword) == 0)
        try screen.host.type("password", into: "resetPassword.newPassword")
        #expect(try !screen.button("resetPassword").enabled)
        try screen.host.type(Self.newPassword, into: "resetPassword.newPassword")
        #expect(screen.shows("strength"))
        try screen.host.tap("resetPassword")
        try await screen.host.wait("the sign-in") { screen.shows("signIn") }
        #expect(screen.model.step == .passwordReset)
        _ = try await screen.server.client().signIn(email: ada, password: Self.newPassword)
    }

    @Test func `says that a link is over, asks for no password again, and leads to a new one`() async throws {
        let screen = try await signedOut()
        try screen.open("vici://reset-password?token=old")
        try screen.host.type(Self.newPassword, into: "resetPassword.newPassword")
        try screen.host.tap("resetPassword")
        try await screen.titled(.linkOver)
        #expect(screen.shows(.resetTokenRefused))
        #expect(!screen.host.has("SecureField"))
        try screen.host.tap("renew-link")
        #expect(screen.title(.resetRequest))
        #expect(screen.model.fields.newPassword.isEmpty)
    }

    @Test func `takes the token that stands in the mail, where no link brought it`() async throws {
        let actions = ScriptedActions(.vici)
        let model = AuthViewModel(actions, texts: .english)
        let host = ShimHost(NavigationStack { ResetPasswordView(model, done: {}, renew: {}) })
        try host.type("the token", into: "resetPassword.resetToken")
        try host.type(Self.newPassword, into: "resetPassword.newPassword")
        actions.refuse("resetPassword", .refused(.resetTokenRefused))
        try host.tap("resetPassword")
        let refused = AuthTexts.english(.resetTokenRefused)
        try await host.wait("the refusal") { host.has("Text", refused) }
        #expect(try host.find(["TextField"], "resetPassword.resetToken").attributes["hint"] == refused)
        try host.type("the right token", into: "resetPassword.resetToken")
        try host.tap("resetPassword")
        try await host.wait("the end") { host.has("NavigationTitle", AuthTexts.english(.passwordSet)) }
        #expect(actions.calls.last?.arguments == ["the right token", Self.newPassword])
    }

    @Test func `waits with a link until it is known who is signed in`() async throws {
        let screen = try Screen(inside: .vici) { _ in Text(verbatim: "content") }
        try screen.open("vici://reset-password?token=t")
        try await screen.titled(.resetPassword)
        #expect(screen.model.fields.resetToken == "t")
    }

    @Test func `whoever is signed in chooses a new password too, and signs in with it`() async throws {
        let screen = try await signedOut()
        try await screen.enter()
        try screen.open("vici://reset-password?token=\(try await token(screen))")
        #expect(screen.host.has("Sheet") && screen.title(.resetPassword))
        try screen.host.type(Self.newPassword, into: "resetPassword.newPassword")
        try screen.host.tap("resetPassword")
        try await screen.titled(.passwordSet)
        #expect(screen.shows(.passwordReset))
        try screen.host.tap("back-to-sign-in")
        try await screen.host.wait("the sign-in") { screen.shows("signIn") && !screen.host.has("Sheet") }
    }

    @Test func `a new password for one account signs nobody out of another`() async throws {
        let screen = try await signedOut()
        try await screen.enter(as: bob)
        try screen.open("vici://reset-password?token=\(try await token(screen))")
        try screen.host.type(Self.newPassword, into: "resetPassword.newPassword")
        try screen.host.tap("resetPassword")
        try await screen.titled(.passwordSet)
        let asked = screen.network.calls.count
        try screen.host.tap("back-to-sign-in")
        try await screen.host.wait("the question who is signed in") {
            _ = screen.host.nodes
            return screen.network.calls.count > asked
        }
        try await screen.idle()
        #expect(!screen.host.has("Sheet") && screen.model.step == .start)
        #expect(screen.auth.currentSession?.label == bob && screen.asked(.signOut) == 0)
    }

    @Test func `a link waits until the app is unlocked`() async throws {
        let gate = ScriptedBiometricPrompt()
        let screen = try Screen(inside: .vici, adjust: { $0.biometricPrompt = gate }) { _ in Text(verbatim: "content") }
        try await screen.enter()
        screen.auth.lock()
        try await screen.host.wait("the lock") { screen.shows("unlock") }
        try screen.open("vici://reset-password?token=t")
        #expect(!screen.host.has("Sheet") && screen.model.fields.resetToken.isEmpty)
        try screen.host.tap("unlock")
        try await screen.host.wait("the form") { screen.host.has("Sheet") }
        #expect(screen.model.fields.resetToken == "t")
    }

    // MARK: With a code

    @Test func `chooses a new password with a code that was sent to the phone`() async throws {
        let screen = try await signedOut(.barqnet)
        try screen.open("barqnet://forgot-password?phone=\(Self.phone)")
        #expect(screen.title(.resetRequest) && screen.shows(.resetByCodeLead))
        #expect(try screen.field("requestCode.identifier").value == Self.phone)
        #expect(screen.network.calls.isEmpty)
        try screen.host.tap("requestCode")
        try await screen.titled(.resetPassword)
        #expect(screen.shows("resend-wait"))
        #expect(try screen.field("resetPassword.code").attributes["textContentType"] == "oneTimeCode")
        #expect(!screen.shows("resetPassword.identifier"))
        try screen.host.type(try #require(screen.server.code(for: Self.phone)), into: "resetPassword.code")
        try screen.host.type(Self.newPassword, into: "resetPassword.newPassword")
        try screen.host.tap("resetPassword")
        try await screen.host.wait("the sign-in") { screen.shows("signIn") }
        _ = try await screen.server.client().signIn(phoneNumber: Self.phone, password: Self.newPassword)
    }

    @Test func `goes back to the number, and waits for no other`() async throws {
        let screen = try await signedOut(.barqnet)
        try screen.open("barqnet://forgot-password?phone=\(Self.phone)")
        try screen.host.tap("requestCode")
        try await screen.titled(.resetPassword)
        try screen.host.tap("other-number")
        #expect(screen.title(.resetRequest))
        try screen.host.type("+15557654321", into: "requestCode.identifier")
        #expect(try screen.button("requestCode").enabled)
    }
}
