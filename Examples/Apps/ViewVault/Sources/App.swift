import OstiaryClient
import OstiaryContracts
import OstiaryUI
import SwiftUI

/// ViewVault: username and password, a passkey, or Google and GitHub.
@main
struct ViewVaultApp: App {
    @State private var launch = Launch(passkeys: PasskeyAuthenticator()) { try AuthClient.inApp(.viewvault) }

    var body: some Scene {
        WindowGroup { RootView(launch: launch) }
    }
}

struct RootView: View {
    let launch: Launch
    var browser: (any BrowserPresenter)? = WebAuthenticationPresenter()

    var body: some View {
        AppShell(launch, browser: browser) { auth, model in VideosView(auth: auth, model: model) }
    }
}

#if DEBUG && canImport(DeveloperToolsSupport)
#Preview { RootView(launch: .preview(.viewvault)) }
#endif
