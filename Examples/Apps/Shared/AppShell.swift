import OstiaryClient
import OstiaryUI
import SwiftUI

/// What every app has around its own screens: the sign-in, or why the app cannot begin.
///
/// `AuthView` takes what opens the app, links and the answer that a sign-in in the browser waits for, and follows the app to the
/// front and to the background. A second `onOpenURL` for the sign-in would be one too many.
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
