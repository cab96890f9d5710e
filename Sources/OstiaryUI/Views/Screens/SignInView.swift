#if canImport(SwiftUI)
public import SwiftUI

/// Sign in: with what the contract asks for, at a provider, or in the browser.
public struct SignInView: View {
    @Environment(\.authTheme) private var theme
    @Environment(\.authBrowser) private var browser
    private let model: AuthViewModel
    private let open: (AuthForm) -> Void

    /// - Parameter open: Shows the screen of another form.
    public init(_ model: AuthViewModel, open: @escaping (AuthForm) -> Void) {
        self.model = model
        self.open = open
    }

    public var body: some View {
        AuthFormView(
            model, .signIn, title: .signInButton, busyTitle: .signInBusy, submit: { model.signIn() },
            header: { EmptyView() }, footer: { EmptyView() }
        )
        .navigationTitle(model.texts(.signInTitle))
    }
}
#endif
