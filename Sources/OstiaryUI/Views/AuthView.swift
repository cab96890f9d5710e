#if canImport(SwiftUI) && canImport(AuthenticationServices)
import Accessibility
public import OstiaryClient
public import SwiftUI

/// What an app puts up: its own content for whoever is signed in, and the screens of a sign-in for everybody else.
///
/// ```swift apple
/// AuthView(model) {
///     ContentView()
/// }
/// ```
///
/// It reads what opens the app, too, and tells the client when the app comes to the front and goes: the app has no `onOpenURL`
/// of its own for the sign-in, and no `scenePhase`.
public struct AuthView<Content: View>: View {
    @Environment(\.scenePhase) private var phase
    private let model: AuthViewModel
    private let browser: (any BrowserPresenter)?
    private let links: AppLinks
    private let content: () -> Content
    @State private var path: [AuthForm] = []
    /// An address that came before it was known whether somebody is signed in.
    @State private var waiting: URL?
    /// A new password is chosen while somebody is signed in.
    @State private var resets = false

    /// - Parameters:
    ///   - browser: What opens the pages of a sign-in: the system's sheet over the window in front, unless another is given.
    ///     Nil for an app without such pages, which then has no button for them.
    ///   - links: Which addresses that open the app lead to one of these screens; nil for those whose scheme is the
    ///     contract's name.
    public init(
        _ model: AuthViewModel, browser: (any BrowserPresenter)? = WebAuthenticationPresenter(),
        links: AppLinks? = nil, @ViewBuilder content: @escaping () -> Content
    ) {
        self.model = model
        self.browser = browser
        self.links = links ?? AppLinks(contract: model.auth.contract)
        self.content = content
    }

    public var body: some View {
        screen
            .safeAreaInset(edge: .top, spacing: 0) { NoticeBanner(model) }
            .environment(\.authBrowser, browser)
            .onOpenURL { open($0) }
            .onChange(of: phase) { _, phase in
                switch phase {
                case .background: model.leaveFront()
                case .active: model.returnToFront()
                default: break
                }
            }
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
        case .unknown: WaitingView(model: model)
        case .locked: LockView(model)
        case .signedIn: content().hidden(whileAway: model.isAway).hidesWhileInactive()
        case .signedOut: EntryView(model: model, path: $path)
        }
    }

    // MARK: Links

    private var isUndecided: Bool { model.state == .unknown || model.state == .locked }

    private func open(_ url: URL) {
        // Anybody can make a device open the app with a code of their own: none is taken but what a sign-in waits for.
        guard !model.auth.open(url), let link = links.destination(of: url) else { return }
        guard !isUndecided else {
            waiting = url
            return
        }
        guard let form = model.fill(from: link) else { return }
        if model.isSignedIn { resets = true } else { path = form == .signIn ? [] : [form] }
    }

    /// A new password has ended every session of its account. Whether that is the one here only the server knows: anybody can
    /// forward a link.
    private func endReset() {
        let isReset = model.step == .passwordReset
        model.startOver()
        if isReset { model.loadUser() }
    }
}
#endif
