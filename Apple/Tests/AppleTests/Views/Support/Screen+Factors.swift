import OstiaryClient
import OstiaryClientTestSupport
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

extension Screen {
    var texts: AuthTexts { model.texts }

    /// The attributes of the QR code on the screen; nil without one.
    var qrCode: [String: String]? { host.all.first { $0.kind == "QRCode" }?.attributes }

    /// Waits until a control is on the screen, and taps it.
    func tapsLater(_ id: String) async throws {
        try await host.wait(id) { shows(id) }
        try host.tap(id)
    }

    /// Opens the screen of an authenticator app, and waits for its key.
    func beginAuthenticator() async throws -> TestAuthenticator {
        try await tapsLater("add-authenticator")
        try await host.wait("the key") { qrCode != nil }
        return try #require(TestAuthenticator(uri: qrCode?["payload"] ?? ""))
    }

    /// Adds an authenticator app, and leaves the sheet with the recovery codes.
    @discardableResult
    func addAuthenticator(named name: String = "") async throws -> TestAuthenticator {
        let authenticator = try await beginAuthenticator()
        try host.type(authenticator.code(at: server.clock.now), into: "confirmTOTP.code")
        if !name.isEmpty { try host.type(name, into: "confirmTOTP.factorName") }
        try host.tap("confirmTOTP")
        try await tapsLater("saved-codes")
        try await host.wait("the account") { title(.account) && !host.has("Sheet") }
        try await idle()
        return authenticator
    }

    /// Answers a step-up with the password.
    func confirmPassword() async throws {
        try await host.wait("the question") { shows("stepUp.password") }
        try host.type(goodPassword, into: "stepUp.password")
        try host.tap("stepUp")
    }

    /// Signs in to the account, and answers the challenge with a code of the app.
    func signIn(with authenticator: TestAuthenticator) async throws {
        do {
            try await auth.signIn(email: ada, password: goodPassword)
        } catch {
            guard case .refused(.challengeRequired(let challenge)) = error else { throw error }
            try await auth.answer(challenge, with: ["totp": authenticator.code(at: server.clock.now)])
        }
        try await idle()
    }
}
