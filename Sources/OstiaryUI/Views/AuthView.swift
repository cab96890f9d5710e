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
    /// An address that came before it was known whether somebody is signed in.
    @State private var waiting: URL?
    /// A new password is chosen while somebody is signed in.
    @State private var resets = false

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
            .safeAreaInset(edge: .top, spacing: 0) { NoticeBanner(model) }
            .environment(\.authBrowser, browser)
            .onOpenURL { open($0) }
            .onChange(of: model.state) { _, state in
                if state == .locked { resets = false }
                guard !isUndecided, let url = waiting else { return }
                waiting = nil
                open(url)
            }
            .sheet(isPresented: $resets, onDismiss: endReset) {
                NavigationStack { ResetPasswordView(model, done: { resets = false }) }
            }
            .onChange(of: model.notices) { old, new in
                for notice in new where !old.contains(notice) {
                    AccessibilityNotification.Announcement(model.texts.text(of: notice)).post()
                }
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
        case .signedIn: content().hidesWhileInactive()
        case .signedOut: EntryView(model: model, path: $path)
        }
    }

    // MARK: Links

    private var isUndecided: Bool { model.state == .unknown || model.state == .locked }

    private func open(_ url: URL) {
        guard let link = links?.destination(of: url) else { return }
        guard !isUndecided else {
            waiting = url
            return
        }
        guard let form = model.fill(from: link) else { return }
        if model.isSignedIn { resets = true } else { path = form == .signIn ? [] : [form] }
    }

    /// A new password has ended every session, the one here too, although nothing has told it yet.
    private func endReset() {
        if model.step == .passwordReset, model.isSignedIn { model.signOut() }
        if model.step != .passwordReset { model.startOver() }
    }
}
#endif
