import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryUI
@testable import SwiftUI

@MainActor struct SessionsViewTests {
    /// Ada's sessions: the one here, and one on another device.
    private func sessions(_ texts: AuthTexts = .english) async throws -> Screen {
        let screen = try await Screen.account(.clarity, texts: texts)
        let other = try screen.server.client(adjust: {
            $0.device = DeviceInfo(deviceID: "mac", platform: "macOS", osVersion: "15.1", appVersion: "1")
        })
        try await other.signIn(email: ada, password: goodPassword)
        try screen.host.tap("sessions")
        return screen
    }

    private func ids(_ screen: Screen) -> [String] {
        screen.model.sessions.sorted { $0.isCurrent && !$1.isCurrent }.map(\.id.text)
    }

    private func loaded(_ screen: Screen, _ count: Int = 2) async throws {
        try await screen.host.wait("\(count) sessions") {
            screen.host.all.filter { $0.attributes["id"]?.hasPrefix("end.") == true }.count == count
                && screen.model.running.isEmpty
        }
    }

    @Test func `loads the sessions when it comes up, says so meanwhile, and marks the one in use`() async throws {
        let screen = try await Screen.account(.clarity)
        let point = HoldingPoint()
        screen.network.on(.operation(.listSessions, of: .clarity), .pass.held(at: point))
        try screen.host.tap("sessions")
        #expect(screen.title(.sessions))
        try await screen.host.wait("the wait") { screen.host.has("ProgressView", AuthTexts.english(.loading)) }
        point.open()
        try await loaded(screen, 1)
        #expect(screen.shows(.thisDevice))
        #expect(!screen.host.has("ProgressView"))
    }

    @Test func `asks before it ends a session on another device, and ends that one alone`() async throws {
        let screen = try await sessions()
        try await loaded(screen)
        let id = ids(screen)[1]
        let button = try screen.button("end.\(id)")
        #expect(button.attributes["role"] == "destructive")
        #expect(button.label == "End session: macOS 15.1")
        #expect(try screen.button("end.\(ids(screen)[0])").label == AuthTexts.english(.signOut))
        try screen.host.tap("end.\(id)")
        #expect(screen.alert == AuthTexts.english(.endSessionTitle))
        try await screen.sees("macOS 15.1 is signed out at once.")
        try screen.answer(.cancel)
        #expect(screen.asked(.endSession) == 0)
        try screen.host.tap("end.\(id)")
        try screen.answer(.endSession)
        try await loaded(screen, 1)
        #expect(screen.server.sessions(of: ada) == 1)
        #expect(screen.model.isSignedIn && screen.shows(.thisDevice))
    }

    @Test func `warns before it ends the session in use, and signs out`() async throws {
        let screen = try await sessions()
        try await loaded(screen)
        try screen.host.tap("end.\(ids(screen)[0])")
        #expect(screen.alert == AuthTexts.english(.confirmSignOut))
        #expect(screen.shows(.endCurrentSessionNote))
        try screen.answer(.signOut)
        try await screen.host.wait("the sign-in") { screen.shows("signIn") }
        #expect(screen.asked(.endSession) == 0)
    }

    @Test func `says why there is nothing to see, and tries again`() async throws {
        let screen = try await Screen.account(.clarity)
        screen.network.on(.operation(.listSessions, of: .clarity), .offline)
        try screen.host.tap("sessions")
        try await screen.sees(.offline)
        screen.network.removeRules()
        try screen.host.tap("retry")
        try await loaded(screen, 1)
        #expect(!screen.shows(.offline))
    }

    @Test func `says so where the server names no sessions`() async throws {
        let model = AuthViewModel.signedIn(ScriptedActions(.clarity))
        let host = ShimHost(NavigationStack { SessionsView(model) })
        try await host.wait("the words") { host.has("Text", AuthTexts.english(.noSessions)) }
    }

    @Test func `keeps a session in the list that could not be ended`() async throws {
        let screen = try await sessions()
        try await loaded(screen)
        screen.network.on(.operation(.endSession, of: .clarity), .offline)
        try screen.host.tap("end.\(ids(screen)[1])")
        try screen.answer(.endSession)
        try await screen.sees(.offline)
        try await loaded(screen)
    }

    @Test func `is loaded anew when it is pulled down`() async throws {
        let screen = try await sessions()
        try await loaded(screen)
        let third = try screen.server.client()
        try await third.signIn(email: ada, password: goodPassword)
        await screen.host.refresh()
        try await loaded(screen, 3)
    }

    @Test func `tells times in the language of the other words`() async throws {
        let screen = try await sessions(.german)
        try await loaded(screen)
        // The system's language is English.
        let text = try #require(screen.host.all.first { $0.label.hasPrefix("Zuletzt benutzt: ") }?.label)
        #expect(text.hasPrefix("Zuletzt benutzt: 15. Jan. 2027, "))
    }

    @Test func `calls a device by what it says of itself, and else by its browser`() throws {
        var session = SessionSummary(
            id: try SessionID("1"), createdAt: TestClock.start, lastUsedAt: TestClock.start, isCurrent: false)
        #expect(session.deviceName(.english) == "Unknown device")
        session.userAgent = String(repeating: "a", count: 200)
        #expect(session.deviceName(.english).count == 60)
        session.device = DeviceInfo(platform: "iOS", osVersion: "18.0")
        #expect(session.deviceName(.english) == "iOS 18.0")
    }
}
