#if canImport(SwiftUI)
import Accessibility
public import OstiaryClient
public import SwiftUI

/// What an app puts up: its own content for whoever is signed in, and the screens of a sign-in for everybody else.
///
/// ```swift apple
/// AuthView(model, browser: presenter) {
///     ContentView()
/// }
/// ```
public struct AuthView<Content: View>: View {
    private let model: AuthViewModel
    private let browser: (any BrowserPresenter)?
    private let links: AppLinks?
    private let content: () -> Content
    @State private var path: [AuthForm] = []

    /// - Parameters:
    ///   - browser: What opens the pages of a sign-in; nil if there are none.
    ///   - links: Which addresses that open the app lead to one of these screens; nil for none.
    public init(
        _ model: AuthViewModel, browser: (any BrowserPresenter)? = nil, links: AppLinks? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) {
        self.model = model
        self.browser = browser
        self.links = links
        self.content = content
    }

    public var body: some View {
        screen
            .environment(\.authBrowser, browser)
            .onOpenURL { url in
                guard let link = links?.destination(of: url), let form = model.fill(from: link) else { return }
                path = form == .signIn ? [] : [form]
            }
            .onChange(of: model.isSignedIn) { _, isSignedIn in
                if isSignedIn { path = [] }
            }
            .onChange(of: model.error) { _, error in
                if let error { AccessibilityNotification.Announcement(error.text).post() }
            }
    }

    @ViewBuilder private var screen: some View {
        switch model.state {
        case .unknown: ProgressView(model.texts(.loading))
        case .locked: LockView(model)
        case .signedIn: content()
        case .signedOut: EntryView(model: model, path: $path)
        }
    }
}
#endif
