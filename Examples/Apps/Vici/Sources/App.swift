import OstiaryClient
import OstiaryContracts
import OstiaryUI
import SwiftUI

/// Vici: email and password.
@main
struct ViciApp: App {
    @State private var launch = Launch { try AuthClient.inApp(.vici, options: .locking()) }

    var body: some Scene {
        WindowGroup { RootView(launch: launch) }
    }
}

struct RootView: View {
    let launch: Launch
    var browser: (any BrowserPresenter)? = WebAuthenticationPresenter()

    var body: some View {
        AppShell(launch, browser: browser) { auth, model in ProjectsView(auth: auth, model: model) }
    }
}

#if DEBUG && canImport(DeveloperToolsSupport)
#Preview { RootView(launch: .preview(.vici)) }
#endif
