#if canImport(SwiftUI) && canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import Accessibility
public import OstiaryClient
public import SwiftUI

/// An app's root view: the app's content while a session exists, otherwise the screens of a sign-in.
///
/// ```swift apple
/// AuthView(model) {
///     ContentView()
/// }
/// ```
///
/// It handles the URLs that open the app, and reports to the client when the app enters the foreground and the
/// background; the app is in the background only while all its scenes are. So the app needs no `onOpenURL` for the
/// sign-in, and no `scenePhase`.
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
    /// The identifier of this view's scene.
    @State private var scene = UUID().uuidString
    @State private var navigation = EntryNavigation()
    /// A URL that arrived before the state of the session was known.
    @State private var waiting: URL?
    /// `true` while a new password is being chosen and a session exists.
    @State private var resets = false
    /// `true` while a link has opened the sign-in over the app's content.
    @State private var signsIn = false

    /// Creates a root view.
    ///
    /// - Parameters:
    ///   - model: The app's view model.
    ///   - browser: The browser for the pages of a sign-in, by default the system's sheet over the frontmost window.
    ///     `nil` for an app without such pages, which then has no button for them.
    ///   - links: The URLs that open one of these screens; `nil` for those whose scheme is the contract's name.
    ///   - privacyCover: The phases of its scene in which the app's content is hidden.
    ///   - requiresSignIn: `false` to show the content without a session too.
    ///   - content: The app's content.
    ///   - header: A view above the sign-in, in place of ``AuthTheme/logo``.
    ///   - footer: A view below the sign-in.
    ///   - terms: A view at the creation of an account, for example links to terms of use and privacy policy.
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

    /// The content or the sign-in, below the ``NoticeBanner``.
    public var body: some View {
        screen
            .factorSheets(model)
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
        // A single position for the content, so that it keeps its state when a session begins or ends.
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
        // An attacker can open the app with an authorization code of the attacker's own, so a URL is accepted only
        // while a sign-in waits for it.
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

    /// Reloads the user after a password reset, which has ended every session of its account. Only the server knows if
    /// that is the account of this session: a link can be forwarded.
    private func endReset() {
        let isReset = model.step == .passwordReset
        model.startOver()
        if isReset { model.loadUser() }
    }
}
#endif
