#if canImport(SwiftUI) && canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import Accessibility
import OstiaryClient
public import SwiftUI

extension View {
    /// Presents the screens of a sign-in as a sheet, for an app whose content is usable without a session.
    ///
    /// The sheet sets `isPresented` to `false` once the sign-in has completed, and when the person cancels it.
    /// Cancelling cancels the actions under way and discards the input. If a session exists already, the sheet closes
    /// at once.
    ///
    /// Inside an ``AuthView`` the sheet uses its browser, its links and its slots. Otherwise the app forwards the scene
    /// phase and the URLs that open it.
    ///
    /// - Parameters:
    ///   - isPresented: The presentation state of the sheet.
    ///   - model: The app's view model.
    ///   - header: A view above the sign-in, in place of ``AuthTheme/logo``; an `EmptyView` for that of the surrounding
    ///     ``AuthView``.
    ///   - footer: A view below the sign-in.
    ///   - terms: A view at the creation of an account, for example links to terms of use and privacy policy.
    public func signInSheet<Header: View, Footer: View, Terms: View>(
        isPresented: Binding<Bool>, model: AuthViewModel, @ViewBuilder header: () -> Header = { EmptyView() },
        @ViewBuilder footer: () -> Footer = { EmptyView() }, @ViewBuilder terms: () -> Terms = { EmptyView() }
    ) -> some View {
        let slots = AuthSlots(header: header(), footer: footer(), terms: terms())
        return sheet(isPresented: isPresented) {
            SignInSheet(model: model, slots: slots) { isPresented.wrappedValue = false }
        }
    }
}

/// The content of a sign-in sheet.
struct SignInSheet: View {
    @Environment(\.entryNavigation) private var shared
    @Environment(\.authSlots) private var inherited
    @State private var own = EntryNavigation()
    @State private var id = UUID().uuidString
    let model: AuthViewModel
    let slots: AuthSlots
    /// The action that closes the sheet, once a session exists or the person cancels.
    let finish: () -> Void

    var body: some View {
        screen
            .environment(\.authSlots, slots.over(inherited))
            .sheetFrame()
            // Recovery codes are shown in this sheet, and not over the content below it.
            .onAppear {
                navigation.openSheets += 1
                model.stepUpPrompt.addPresenter(id)
            }
            .onDisappear {
                model.stepUpPrompt.removePresenter(id)
                leave()
            }
            .interactiveDismissDisabled(model.recoveryCodes != nil)
            .onChange(of: model.isEntered, initial: true) { _, isEntered in
                if isEntered { finish() }
            }
            .onChange(of: model.error) { _, error in
                // An ``AuthView`` announces the error itself.
                if shared == nil, let error { AccessibilityNotification.Announcement(error.text).post() }
            }
    }

    private var navigation: EntryNavigation { shared ?? own }

    @ViewBuilder private var screen: some View {
        @Bindable var navigation = navigation
        switch model.state {
        case .signedIn where model.recoveryCodes != nil: NavigationStack { RecoveryCodesView(model: model) }
        case .unknown: NavigationStack { WaitingView(model: model).cancelButton(model.texts, finish) }
        case .locked: NavigationStack { LockView(model).cancelButton(model.texts, finish) }
        // During the dismissal after a sign-in the sheet keeps its last content.
        case .signedOut, .signedIn: EntryView(model: model, path: $navigation.path, cancel: finish)
        }
    }

    private func leave() {
        navigation.openSheets -= 1
        navigation.path = []
        if !model.isSignedIn { model.startOver() }
    }
}

extension View {
    /// Adds a toolbar button that closes the sheet; none if `cancel` is `nil`.
    @ViewBuilder func cancelButton(_ texts: AuthTexts, _ cancel: (() -> Void)?) -> some View {
        if let cancel {
            toolbar {
                ToolbarItem(placement: .cancellationAction) {
                    Button(texts(.cancel), action: cancel).accessibilityIdentifier("cancel")
                }
            }
        } else {
            self
        }
    }

    /// Sets a minimum size for sheets on macOS, where a form has none.
    func sheetFrame() -> some View {
        #if canImport(UIKit)
        self
        #else
        frame(minWidth: 420, minHeight: 480)
        #endif
    }
}
#endif
