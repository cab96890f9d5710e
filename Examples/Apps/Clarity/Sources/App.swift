import OstiaryClient
import OstiaryContracts
import OstiaryUI
import SwiftUI

/// Clarity: email and password, and a session that lasts as long as the person wants.
@main
struct ClarityApp: App {
    @State private var launch = Launch { try AuthClient.inApp(.clarity) }

    var body: some Scene {
        WindowGroup { RootView(launch: launch) }
    }
}

struct RootView: View {
    let launch: Launch
    var browser: (any BrowserPresenter)? = WebAuthenticationPresenter()

    var body: some View {
        AppShell(launch, browser: browser) { auth, model in InsightsView(auth: auth, model: model) }
    }
}

#if DEBUG && canImport(DeveloperToolsSupport)
#Preview { RootView(launch: .preview(.clarity)) }
#endif
