import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

/// Passkeys that are suggested above the keyboard, on the sign-in screen.
@MainActor struct PasskeySuggestionViewTests {
    private func signIn(_ device: TestPasskeys) async throws -> Screen {
        let screen = try Screen(.vici, passkeys: device)
        let other = try screen.server.client()
        try await other.register(email: ada, password: goodPassword)
        _ = try await other.addPasskey(from: device)
        try await screen.start()
        return screen
    }

    @Test func `signs in with a passkey that is chosen above the keyboard`() async throws {
        let device = TestPasskeys()
        let screen = try await signIn(device)
        // The system suggests passkeys at fields of that content type alone.
        #expect(try screen.field("signIn.identifier").attributes["textContentType"] == "username")
        try await device.chooseSuggestion()
        try await screen.seesContent()
    }

    @Test func `suggests passkeys again after a wrong password`() async throws {
        let device = TestPasskeys()
        let screen = try await signIn(device)
        try await device.suggestions(1)
        try screen.type(["signIn.identifier": ada, "signIn.password": "wrong"])
        try screen.host.tap("signIn")
        try await screen.sees(.wrongCredentials)
        try await device.suggestions(2)
        try await device.chooseSuggestion()
        try await screen.seesContent()
    }

    @Test func `the button ends the suggestions, and signs in`() async throws {
        let device = TestPasskeys()
        let screen = try await signIn(device)
        try await device.suggestions(1)
        try screen.host.tap("sign-in-passkey")
        try await screen.seesContent()
        #expect(device.suggestionCount == 1)
    }
}
