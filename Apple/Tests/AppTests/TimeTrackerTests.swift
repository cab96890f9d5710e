import OstiaryContracts
import OstiaryTesting
import SwiftUI
import Testing

@testable import TimeTracker

@MainActor struct TimeTrackerTests {
    @Test func `opens on the sign-in, signs in in the browser, shows its entries, and signs out`() async throws {
        let app = try AppOnScreen(.timetracker) { TimeTracker.RootView(launch: .ready($0, $1), browser: $2) }
        app.server.route("GET", "/entries") { _ in .json(#"[{"id": 1, "project": "Ostiary", "minutes": 90}]"#) }
        try await app.opensOnSignIn()
        try app.host.tap("sign-in-browser")
        try await app.sees("Ostiary: 90 min")
        try await app.signsOut()
    }
}
