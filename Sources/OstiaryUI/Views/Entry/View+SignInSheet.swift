#if canImport(SwiftUI) && canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import Accessibility
import OstiaryClient
public import SwiftUI

extension View {
    /// Presents the screens of a sign-in as a sheet, for an app whose content is usable without a session.
    ///
    /// The sheet sets `isPresented` to false once the sign-in has completed, and when the person cancels it. Cancelling ends
    /// what is under way and discards what was typed. Presented while a session exists, it closes at once.
    ///
    /// Inside an ``AuthView`` the sheet uses its browser, its links and its slots. Elsewhere the app forwards the scene phase
    /// and the addresses that open it by itself.
    ///
    /// - Parameters:
    ///   - header: Above the sign-in, in place of ``AuthTheme/logo``; an `EmptyView` for that of the surrounding ``AuthView``.
    ///   - footer: Below the sign-in.
    ///   - terms: Where an account is created, for example links to terms of use and privacy policy.
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
    let model: AuthViewModel
    let slots: AuthSlots
    /// Closes the sheet: a session exists, or the person cancels.
    let finish: () -> Void

    var body: some View {
        screen
            .environment(\.authSlots, slots.over(inherited))
            .sheetFrame()
            .onAppear { navigation.openSheets += 1 }
            .onDisappear(perform: leave)
            .onChange(of: model.isSignedIn, initial: true) { _, isSignedIn in
                if isSignedIn { finish() }
            }
            .onChange(of: model.error) { _, error in
                // An AuthView announces it by itself.
                if shared == nil, let error { AccessibilityNotification.Announcement(error.text).post() }
            }
    }

    private var navigation: EntryNavigation { shared ?? own }

    @ViewBuilder private var screen: some View {
        @Bindable var navigation = navigation
        switch model.state {
        case .unknown: NavigationStack { WaitingView(model: model).cancelButton(model.texts, finish) }
        case .locked: NavigationStack { LockView(model).cancelButton(model.texts, finish) }
        // While the sheet goes away after a sign-in, it shows what it showed before.
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
    /// Adds a button to the bar that closes the sheet; none for nil.
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

    /// A size for sheets on macOS, where a form has none of its own.
    func sheetFrame() -> some View {
        #if canImport(UIKit)
        self
        #else
        frame(minWidth: 420, minHeight: 480)
        #endif
    }
}
#endif
