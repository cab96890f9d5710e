import OstiaryClient
import OstiaryUI
import SwiftUI

/// What every app has around its own screens: the sign-in, what opens the app, and its coming to the front and going.
struct AppShell<Content: View>: View {
    @Environment(\.scenePhase) private var scenePhase
    private let launch: Launch
    private let browser: (any BrowserPresenter)?
    private let content: (AuthClient, AuthViewModel) -> Content

    init(
        _ launch: Launch, browser: (any BrowserPresenter)?,
        @ViewBuilder content: @escaping (AuthClient, AuthViewModel) -> Content
    ) {
        self.launch = launch
        self.browser = browser
        self.content = content
    }

    var body: some View {
        switch launch {
        case .failed(let why): Text(verbatim: why)
        case .ready(let auth, let model):
            AuthView(model, browser: browser, links: AppLinks(contract: auth.contract)) { content(auth, model) }
                .onSignInURL(auth)
                .onChange(of: scenePhase) { _, phase in
                    switch phase {
                    case .active: Task { await auth.enterForeground() }
                    case .background: auth.enterBackground()
                    default: break
                    }
                }
        }
    }
}
