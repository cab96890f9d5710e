import OstiaryClient
import OstiaryContracts
import OstiaryUI
import SwiftUI

/// Barqnet: a phone number, a code by text message, and a password.
@main
struct BarqnetApp: App {
    @State private var launch = Launch { try AuthClient.inApp(.barqnet, pins: .ofBarqnet(), options: .locking()) }

    var body: some Scene {
        WindowGroup { RootView(launch: launch) }
    }
}

struct RootView: View {
    let launch: Launch
    var browser: (any BrowserPresenter)? = WebAuthenticationPresenter()

    var body: some View {
        AppShell(launch, browser: browser) { auth, model in ServersView(auth: auth, model: model) }
    }
}

#if DEBUG && canImport(DeveloperToolsSupport)
#Preview { RootView(launch: .preview(.barqnet)) }
#endif
