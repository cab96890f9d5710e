import OstiaryClient
import OstiaryContracts
import OstiaryUI
import SwiftUI

/// TimeTracker: people sign in in the browser, at their company's identity provider.
@main
struct TimeTrackerApp: App {
    @State private var launch = Launch { try AuthClient.inApp(.timetracker) }

    var body: some Scene {
        WindowGroup { RootView(launch: launch) }
    }
}

struct RootView: View {
    let launch: Launch
    var browser: (any BrowserPresenter)? = WebAuthenticationPresenter()

    var body: some View {
        AppShell(launch, browser: browser) { auth, model in EntriesView(auth: auth, model: model) }
    }
}

#if DEBUG && canImport(DeveloperToolsSupport)
#Preview { RootView(launch: .preview(.timetracker)) }
#endif
