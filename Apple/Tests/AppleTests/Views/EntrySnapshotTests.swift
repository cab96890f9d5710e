import Foundation
import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

/// Every screen in every state, in words and as a picture.
@MainActor struct EntrySnapshotTests {
    private let browser: (TestServer) -> any BrowserPresenter = { ScriptedBrowser($0) }

    private func screen(
        _ contract: Contract, _ texts: AuthTexts, look: @escaping (inout EnvironmentValues) -> Void = { _ in }
    ) async throws -> Screen {
        var rules = TestServerRules.standard
        rules.registersSafely = contract.name == "clarity"
        let screen = try Screen(
            contract, texts: texts, rules: rules, browser: browser,
            look: {
                $0.locale = Locale(identifier: texts.language)
                look(&$0)
            })
        try await screen.start()
        return screen
    }

    @Test(arguments: AuthTexts.all) func `sign-in with an address`(texts: AuthTexts) async throws {
        let language = texts.language
        let screen = try await screen(.vici, texts)
        try screen.matches("sign-in-empty-\(language)")
        try screen.host.type("ada", into: "signIn.identifier")
        try screen.host.type("wrong", into: "signIn.password")
        try screen.matches("sign-in-not-an-address-\(language)")
        try screen.host.type("ada@example.com", into: "signIn.identifier")
        try screen.matches("sign-in-filled-\(language)")
        let point = try await screen.begin("signIn")
        try screen.matches("sign-in-busy-\(language)")
        point.open()
        try await screen.sees(.wrongCredentials)
        try screen.matches("sign-in-refused-\(language)")
    }

    @Test(arguments: AuthTexts.all) func `sign-in beside providers`(texts: AuthTexts) async throws {
        let language = texts.language
        try await screen(.viewvault, texts).matches("sign-in-providers-\(language)")
        try await screen(.viewvault, texts, look: { $0.colorScheme = .dark })
            .matches("sign-in-providers-dark-\(language)")
        try await screen(.viewvault, texts, look: { $0.layoutDirection = .rightToLeft })
            .matches("sign-in-providers-right-to-left-\(language)")
        try await screen(.viewvault, texts, look: { $0.dynamicTypeSize = .accessibility2 })
            .matches("sign-in-providers-large-\(language)")
        try await screen(.clarity, texts).matches("sign-in-remember-\(language)")
        try await screen(.barqnet, texts).matches("sign-in-phone-\(language)")
    }

    @Test(arguments: AuthTexts.all) func `sign-in in the browser`(texts: AuthTexts) async throws {
        let screen = try await screen(.timetracker, texts)
        try screen.matches("sign-in-browser-\(texts.language)")
        _ = try await screen.begin("sign-in-browser")
        try screen.matches("sign-in-browser-busy-\(texts.language)")
    }

    @Test(arguments: AuthTexts.all) func `sign-in after the session has ended, and offline`(texts: AuthTexts)
        async throws
    {
        let screen = try await screen(.vici, texts)
        screen.model.error = ShownError(
            .sessionEnded(.sessionRevoked), of: .loadUser, screens: screen.model.screens, now: TestClock.start,
            texts: texts)
        try screen.matches("sign-in-ended-\(texts.language)")
        screen.model.error = ShownError(
            .offline, of: .form(.signIn), screens: screen.model.screens, now: TestClock.start, texts: texts)
        try screen.matches("sign-in-offline-\(texts.language)")
        screen.model.error = nil
        screen.model.step = .passwordReset
        try screen.matches("sign-in-password-reset-\(texts.language)")
    }

    @Test(arguments: AuthTexts.all) func registration(texts: AuthTexts) async throws {
        let language = texts.language
        let screen = try await screen(.viewvault, texts)
        try screen.server.addAccount(email: "ada@example.com", username: "ada", password: goodPassword)
        try screen.host.tap("register-link")
        try screen.matches("registration-empty-\(language)")
        try screen.type(["register.identifier": "ada", "register.email": "ada@example"])
        try screen.host.type("qwertz1987", into: "register.password")
        try screen.matches("registration-weak-\(language)")
        try screen.type(["register.email": "ada@example.com", "register.name": "Ada Lovelace"])
        try screen.host.type("donau dampf schiff kapitän", into: "register.password")
        try screen.matches("registration-filled-\(language)")
        let point = try await screen.begin("register")
        try screen.matches("registration-busy-\(language)")
        point.open()
        try await screen.sees(.identifierTakenUsername)
        try screen.matches("registration-taken-\(language)")
    }

    @Test(arguments: AuthTexts.all) func `registration that a message finishes`(texts: AuthTexts) async throws {
        let screen = try await screen(.clarity, texts)
        try screen.host.tap("register-link")
        try screen.type(["register.identifier": "ada@example.com", "register.password": goodPassword])
        try screen.host.tap("register")
        try await screen.sees(.confirmationSent)
        try screen.matches("registration-sent-\(texts.language)")
    }

    @Test(arguments: AuthTexts.all) func `registration with a code`(texts: AuthTexts) async throws {
        let (language, number) = (texts.language, "+4930123456")
        let screen = try await screen(.barqnet, texts)
        try screen.host.tap("register-link")
        try screen.matches("code-number-\(language)")
        try screen.host.type(number, into: "requestCode.identifier")
        try screen.host.tap("requestCode")
        try await screen.host.wait("the code") { screen.has("verifyCode.code") }
        try screen.matches("code-sent-\(language)")
        let code = try #require(screen.server.code(for: number))
        try screen.host.type(code == "000000" ? "000001" : "000000", into: "verifyCode.code")
        try screen.host.tap("verifyCode")
        try await screen.sees(.codeRefused)
        try screen.matches("code-refused-\(language)")
        try screen.host.type(code, into: "verifyCode.code")
        try screen.host.tap("verifyCode")
        try await screen.host.wait("the password") { screen.has("register.password") }
        try screen.matches("code-password-\(language)")
    }

    @Test(arguments: AuthTexts.all) func `one more step`(texts: AuthTexts) async throws {
        for (name, challenge) in [
            ("password", .newPassword), ("code", .smsCode("123456")),
            ("unknown", TestChallenge(name: "RETINA", answers: [:])),
        ] as [(String, TestChallenge)] {
            let screen = try await screen(.clarity, texts)
            try screen.server.addAccount(email: "ada@example.com", password: goodPassword)
            screen.server.challenge("ada@example.com", with: challenge)
            try screen.type(["signIn.identifier": "ada@example.com", "signIn.password": goodPassword])
            try screen.host.tap("signIn")
            try await screen.host.wait("the challenge") { screen.host.has("NavigationTitle", texts(.challengeTitle)) }
            try screen.matches("challenge-\(name)-\(texts.language)")
        }
    }
}
