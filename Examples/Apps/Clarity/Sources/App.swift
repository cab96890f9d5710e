import OstiaryClient
import OstiaryContracts
import OstiaryUI
import SwiftUI

/// Clarity: email and password, and a session that lasts as long as the person wants.
@main
struct ClarityApp: App {
    @State private var launch = Launch { try AuthClient.inApp(.clarity) }

    var body: some Scene {
        WindowGroup { RootView(launch: launch, browser: WebAuthenticationPresenter()) }
    }
}

struct RootView: View {
    let launch: Launch
    let browser: (any BrowserPresenter)?

    var body: some View {
        AppShell(launch, browser: browser) { auth, model in InsightsView(auth: auth, model: model) }
    }
}
