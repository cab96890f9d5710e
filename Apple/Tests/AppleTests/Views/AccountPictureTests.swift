import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryUI
@testable import SwiftUI

/// Snapshots of every screen of the account, of the lock and of a forgotten password, as reviewed.
@MainActor struct AccountPictureTests {
    private static let newPassword = "glockenblume am morgen"

    private func entry(
        _ address: String, _ contract: Contract = .vici, texts: AuthTexts = .english,
        look: @escaping (inout EnvironmentValues) -> Void = { _ in }
    ) async throws -> Screen {
        let screen = try Screen(inside: contract, texts: texts, clock: TestClock(), look: look) { _ in
            Text(verbatim: "The app's own content")
        }
        try await screen.start()
        try screen.open(address)
        return screen
    }

    @Test func `forgotten password`() async throws {
        let screen = try await entry("vici://forgot-password?email=ada@example.com")
        try screen.matches("forgot")
        try screen.host.tap("requestPasswordReset")
        try await screen.titled(.checkMail)
        try screen.matches("forgot-sent")
    }

    @Test func `new password with a link`() async throws {
        let screen = try await entry("vici://reset-password?token=old", texts: .german)
        try screen.host.type(Self.newPassword, into: "resetPassword.newPassword")
        try screen.matches("reset-de")
        try screen.host.tap("resetPassword")
        try await screen.titled(.linkOver)
        try screen.matches("reset-link-over-de")
    }

    @Test func `new password with a code`() async throws {
        let screen = try await entry("barqnet://forgot-password?phone=+15551234561", .barqnet)
        try screen.matches("reset-number")
        try screen.host.tap("requestCode")
        try await screen.titled(.resetPassword)
        try screen.matches("reset-code")
    }

    @Test func account() async throws {
        let screen = try await Screen.account { $0.keepsSeveralAccounts = true }
        try await screen.enter(as: bob)
        await screen.model.loadAccounts().value
        try await screen.host.wait("Bob's factors") { screen.model.factors != nil }
        try screen.host.type("Bob Baer", into: "updateProfile.name")
        try screen.host.tap("save-name")
        try await screen.sees(.profileSaved)
        try screen.matches("account")
        try screen.host.tap("sign-out")
        try screen.matches("account-sign-out")
    }

    @Test func `account, in the dark, from right to left, with large texts`() async throws {
        let screen = try await Screen.account(look: {
            $0.colorScheme = .dark
            $0.layoutDirection = .rightToLeft
            $0.dynamicTypeSize = .accessibility2
        })
        try screen.matches("account-dark-rtl-large")
    }

    @Test func `change the password`() async throws {
        let screen = try await Screen.account()
        try screen.host.tap("change-password")
        try screen.host.type("wrong", into: "changePassword.password")
        try screen.host.type(Self.newPassword, into: "changePassword.newPassword")
        try screen.host.tap("changePassword")
        try await screen.sees(.wrongPassword)
        try screen.matches("change-password")
    }

    @Test func sessions() async throws {
        // The description of the machine that runs the test would make the text differ between machines.
        let screen = try await Screen.account(.clarity) {
            $0.device = DeviceInfo(deviceID: "phone", platform: "iOS", osVersion: "18.0", appVersion: "1")
        }
        let other = try screen.server.client(adjust: {
            $0.device = DeviceInfo(deviceID: "mac", platform: "macOS", osVersion: "15.1", appVersion: "1")
        })
        try await other.signIn(email: ada, password: goodPassword)
        try screen.host.tap("sessions")
        try await screen.sees("macOS 15.1")
        try await screen.idle()
        try screen.matches("sessions")
        let current = try #require(screen.model.sessions.first { $0.isCurrent })
        try screen.host.tap("end.\(current.id.text)")
        try screen.matches("sessions-end-current")
    }

    @Test func `delete the account`() async throws {
        let screen = try await Screen.account()
        try screen.host.tap("delete-account")
        try screen.matches("delete")
        try screen.host.type(goodPassword, into: "deleteAccount.password")
        try screen.host.tap("deleteAccount")
        try screen.matches("delete-question")
        try screen.answer(.deleteForGood)
        try await screen.sees(.accountDeleted)
        try screen.matches("deleted")
    }

    @Test func lock() async throws {
        for (name, texts, answer) in [
            ("lock", AuthTexts.english, BiometricPromptResult.cancelled), ("lock-de", .german, .failed),
        ] {
            let gate = ScriptedBiometricPrompt(thereafter: answer)
            let moment = Moment()
            let screen = try Screen(inside: .vici, texts: texts, moment: moment) {
                $0.biometricPrompt = gate
            } content: { _ in
                Text(verbatim: "The app's own content")
            }
            try await screen.enter()
            try await screen.lockAway(moment)
            try await screen.sees(answer == .failed ? .unlockFailed : .unlockCancelled)
            try screen.matches(name)
        }
    }

    @Test func `notices above the app's own content`() async throws {
        let store = TestStore()
        store.makeUnwritable()
        let screen = try Screen(inside: .vici, store: store) { _ in Text(verbatim: "The app's own content") }
        try await screen.enter()
        try await screen.sees(.memoryOnly)
        try screen.matches("notice")
    }
}
