import OstiaryClient
import OstiaryUI
import SwiftUI

/// The root view of every app around its own screens: the sign-in, or the reason for which the app cannot start.
///
/// `AuthView` handles the URLs that open the app, which are links and the answer that a sign-in in the browser waits
/// for, and reports when the app enters the foreground and the background. Do not add a second `onOpenURL` for the
/// sign-in.
struct AppShell<Content: View>: View {
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
        case .ready(let auth, let model): AuthView(model, browser: browser) { content(auth, model) }
        }
    }
}
