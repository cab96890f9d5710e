import OstiaryClient
import OstiaryContracts
import OstiaryUI
import SwiftUI

/// Vici: email and password.
@main
struct ViciApp: App {
    @State private var launch = Launch { try AuthClient.inApp(.vici) }

    var body: some Scene {
        WindowGroup { RootView(launch: launch, browser: WebAuthenticationPresenter()) }
    }
}

struct RootView: View {
    let launch: Launch
    let browser: (any BrowserPresenter)?

    var body: some View {
        AppShell(launch, browser: browser) { auth, model in ProjectsView(auth: auth, model: model) }
    }
}
