#if canImport(SwiftUI) && canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
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
/// It reads what opens the app, too, and tells the client when the app enters the foreground and the background, which it is
/// in only while all its scenes are: the app has no `onOpenURL` of its own for the sign-in, and no `scenePhase`.
///
/// An app whose content is usable without a session passes `requiresSignIn: false`, and presents the sign-in with
/// ``AccountButton`` or `signInSheet(isPresented:model:)`. Its content is replaced only while the session is locked.
public struct AuthView<Content: View>: View {
    @Environment(\.scenePhase) private var phase
    private let model: AuthViewModel
    private let browser: (any BrowserPresenter)?
    private let links: AppLinks
    private let privacyCover: PrivacyCover
    private let requiresSignIn: Bool
    private let slots: AuthSlots
    private let content: () -> Content
    /// Identifies the scene of this view.
    @State private var scene = UUID().uuidString
    @State private var navigation = EntryNavigation()
    /// An address that came before it was known whether somebody is signed in.
    @State private var waiting: URL?
    /// A new password is chosen while somebody is signed in.
    @State private var resets = false
    /// A link leads to a screen of the sign-in, and the app's content is shown without a session.
    @State private var signsIn = false

    /// - Parameters:
    ///   - browser: What opens the pages of a sign-in: the system's sheet over the window in front, unless another is given.
    ///     Nil for an app without such pages, which then has no button for them.
    ///   - links: Which addresses that open the app lead to one of these screens; nil for those whose scheme is the
    ///     contract's name.
    ///   - privacyCover: The phases of its scene in which the app's content is hidden.
    ///   - requiresSignIn: False to show the content without a session too.
    ///   - header: Above the sign-in, in place of ``AuthTheme/logo``.
    ///   - footer: Below the sign-in.
    ///   - terms: Where an account is created, for example links to terms of use and privacy policy.
    public init<Header: View, Footer: View, Terms: View>(
        _ model: AuthViewModel, browser: (any BrowserPresenter)? = WebAuthenticationPresenter(),
        links: AppLinks? = nil, privacyCover: PrivacyCover = .background, requiresSignIn: Bool = true,
        @ViewBuilder content: @escaping () -> Content,
        @ViewBuilder header: () -> Header = { EmptyView() }, @ViewBuilder footer: () -> Footer = { EmptyView() },
        @ViewBuilder terms: () -> Terms = { EmptyView() }
    ) {
        self.model = model
        self.browser = browser
        self.links = links ?? AppLinks(contract: model.auth.contract)
        self.privacyCover = privacyCover
        self.requiresSignIn = requiresSignIn
        self.slots = AuthSlots(header: header(), footer: footer(), terms: terms())
        self.content = content
    }

    public var body: some View {
        screen
            .safeAreaInset(edge: .top, spacing: 0) { NoticeBanner(model) }
            .signInSheet(isPresented: $signsIn, model: model)
            .environment(\.authBrowser, browser)
            .environment(\.entryNavigation, navigation)
            .environment(\.authSlots, slots)
            .onOpenURL { open($0) }
            .onChange(of: phase, initial: true) { _, phase in
                switch phase {
                case .background: model.sceneDidEnterBackground(scene)
                case .inactive, .active: model.sceneWillEnterForeground(scene)
                @unknown default: break
                }
            }
            .onDisappear { model.sceneDidDisconnect(scene) }
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
                if isSignedIn { navigation.path = [] }
            }
            .onChange(of: model.error) { _, error in
                if let error { AccessibilityNotification.Announcement(error.text).post() }
            }
    }

    @ViewBuilder private var screen: some View {
        // One place for the content, so that it keeps its state when a session begins or ends.
        if showsContent {
            content().hidden(inBackground: model.isInBackground && privacyCover != .never).privacyCover(privacyCover)
        } else {
            entrance
        }
    }

    private var showsContent: Bool {
        switch model.state {
        case .signedIn: true
        case .signedOut, .unknown: !requiresSignIn
        case .locked: false
        }
    }

    @ViewBuilder private var entrance: some View {
        @Bindable var navigation = navigation
        switch model.state {
        case .unknown: WaitingView(model: model)
        case .locked: LockView(model)
        case .signedOut, .signedIn: EntryView(model: model, path: $navigation.path)
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
        if model.isSignedIn {
            resets = true
        } else {
            navigation.path = form == .signIn ? [] : [form]
            if !requiresSignIn, navigation.openSheets == 0 { signsIn = true }
        }
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
