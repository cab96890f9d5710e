import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

/// Snapshots of the screens for second factors, as reviewed.
@MainActor struct SecurityPictureTests {
    /// The account and the factor, in German.
    private func isData(_ text: String) -> Bool { text.contains(/Ada|ada@|15. Jan. 2027|Noch 10 Codes/) }

    @Test func `the section without and with factors`() async throws {
        let screen = try await Screen.account(passkeys: TestPasskeys())
        try await screen.addAuthenticator(named: "My phone")
        try screen.matches("security")
        let id = try #require(screen.model.factors?.factors.first?.id.text)
        try screen.host.tap("factor.\(id)")
        try screen.matches("security-factor")
        try screen.host.tap("remove-factor")
        try screen.matches("security-remove")
    }

    @Test func `the section in German, in the dark, with large texts`() async throws {
        let screen = try await Screen.account(
            texts: .german, passkeys: TestPasskeys(),
            look: {
                $0.dynamicTypeSize = .accessibility2
                $0.colorScheme = .dark
            })
        try await screen.addAuthenticator()
        try screen.matches("security-dark-large-de", isData: isData)
    }

    @Test(arguments: [("en", AuthTexts.english), ("de", .german)])
    func `an authenticator app, and its recovery codes`(language: String, texts: AuthTexts) async throws {
        let screen = try await Screen.account(texts: texts)
        let authenticator = try await screen.beginAuthenticator()
        try screen.host.type("123456", into: "confirmTOTP.code")
        try screen.matches("security-authenticator-\(language)")
        try screen.host.type(authenticator.code(at: screen.server.clock.now), into: "confirmTOTP.code")
        try screen.host.tap("confirmTOTP")
        try await screen.host.wait("the codes") { screen.shows("recovery-code") }
        try await screen.idle()
        try screen.matches("security-recovery-codes-\(language)", isData: isData)
        try screen.host.tap("saved-codes")
        try await screen.host.wait("the account") { screen.title(.account) }
        try screen.host.tap("recovery-codes")
        try screen.matches("security-recovery-left-\(language)")
    }

    @Test(arguments: [("en", AuthTexts.english), ("de", .german)])
    func `the question to authenticate again`(language: String, texts: AuthTexts) async throws {
        let screen = try Screen(inside: .vici, texts: texts, handlesRequests: true) { _ in EmptyView() }
        screen.server.route("POST", "/payments", maxAge: .seconds(300)) { _ in .json("{}") }
        try await screen.enter()
        let other = try screen.server.client()
        try await other.signIn(email: ada, password: goodPassword)
        let pending = try await other.addTOTP()
        let authenticator = try #require(TestAuthenticator(uri: pending.uri.reveal()))
        _ = try await other.confirmTOTP(pending, code: authenticator.code(at: screen.server.clock.now))
        try await screen.auth.signOut()
        screen.server.clock.advance(by: .seconds(30))
        try await screen.signIn(with: authenticator)
        screen.server.clock.advance(by: .seconds(301))
        let payment = Task { [auth = screen.auth] in try? await auth.post("/payments") }
        try await screen.host.wait("the question") { screen.shows("stepUp.password") }
        try screen.matches("step-up-\(language)")
        screen.model.cancelStepUp()
        _ = await payment.value
    }
}
