import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

/// A sign-in to an account that must add a second factor first.
@MainActor struct RequiredFactorViewTests {
    private static var rules: TestServerRules {
        var rules = TestServerRules.standard
        rules.requiresSecondFactor = true
        return rules
    }

    private func challenged(passkeys: TestPasskeys? = nil, texts: AuthTexts = .english) async throws -> Screen {
        let screen = try Screen(.vici, texts: texts, rules: Self.rules, passkeys: passkeys)
        try screen.server.addAccount(email: ada, password: goodPassword)
        try await screen.start()
        try screen.type(["signIn.identifier": ada, "signIn.password": goodPassword])
        try screen.host.tap("signIn")
        try await screen.host.wait("the choice") { screen.shows("add-authenticator") }
        return screen
    }

    private func goesOn(_ screen: Screen) async throws {
        try await screen.host.wait("the content") {
            screen.host.has("Text", Screen.content) && !screen.host.has("Sheet")
        }
    }

    @Test func `adds an authenticator app, shows the recovery codes, and goes on`() async throws {
        let screen = try await challenged()
        #expect(screen.title(.challengeTitle) && screen.shows(.mustAddFactor) && !screen.shows("add-passkey"))
        let authenticator = try await screen.beginAuthenticator()
        try screen.host.type(authenticator.code(at: screen.server.clock.now), into: "confirmTOTP.code")
        try screen.host.tap("confirmTOTP")
        try await screen.tapsLater("saved-codes")
        try await goesOn(screen)
    }

    @Test func `adds a passkey, and goes on`() async throws {
        let screen = try await challenged(passkeys: TestPasskeys())
        try screen.host.tap("add-passkey")
        try await screen.tapsLater("saved-codes")
        try await goesOn(screen)
    }

    @Test func `leads back to the choice, and from there to the sign-in`() async throws {
        let screen = try await challenged(passkeys: TestPasskeys())
        _ = try await screen.beginAuthenticator()
        try screen.host.tap("Back")
        #expect(screen.shows(.mustAddFactor) && screen.model.pendingTOTP == nil)
        try screen.host.tap("back-to-sign-in")
        #expect(screen.title(.signInTitle) && !screen.model.mustAddFactor)
    }

    @Test func `in a sheet, the codes come before the sheet closes`() async throws {
        let screen = try Screen(.vici, rules: Self.rules) { _, model in
            AuthView(model, browser: nil, requiresSignIn: false) { AccountButton(model) }
        }
        try screen.server.addAccount(email: ada, password: goodPassword)
        await screen.auth.settle()
        try await screen.tapsLater("account")
        try await screen.host.wait("the sign-in") { screen.shows("signIn") }
        try screen.type(["signIn.identifier": ada, "signIn.password": goodPassword])
        try screen.host.tap("signIn")
        let authenticator = try await screen.beginAuthenticator()
        try screen.host.type(authenticator.code(at: screen.server.clock.now), into: "confirmTOTP.code")
        try screen.host.tap("confirmTOTP")
        try await screen.host.wait("the codes") { screen.shows("recovery-code") }
        #expect(screen.host.all.filter { $0.kind == "Sheet" }.count == 1 && !screen.shows("cancel"))
        try screen.host.tap("saved-codes")
        try await screen.host.wait("the content") { !screen.host.has("Sheet") && screen.model.isSignedIn }
    }

    @Test(arguments: [("en", AuthTexts.english), ("de", .german)])
    func `snapshot of the choice`(language: String, texts: AuthTexts) async throws {
        let screen = try await challenged(passkeys: TestPasskeys(), texts: texts)
        try screen.matches("must-add-factor-\(language)")
    }
}
