#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// The screen for creating an account.
public struct RegistrationView: View {
    private let model: AuthViewModel
    private let done: () -> Void

    /// Creates the screen for a view model.
    ///
    /// - Parameters:
    ///   - model: The app's view model.
    ///   - done: Returns to the sign-in.
    public init(_ model: AuthViewModel, done: @escaping () -> Void) {
        self.model = model
        self.done = done
    }

    /// The form, or a note once a mail was sent to confirm the registration.
    public var body: some View {
        content.navigationTitle(model.texts(.registerTitle)).titleInBar()
    }

    @ViewBuilder private var content: some View {
        if model.step == .confirmationSent {
            SentView(model: model, text: model.texts(.confirmationSent), done: done)
        } else {
            AuthFormView(
                model, .register, title: .registerButton, busyTitle: .registerBusy,
                submit: { model.register() },
                header: { EmptyView() },
                footer: {
                    Section { Button(model.texts(.signInLink), action: done).accessibilityIdentifier("sign-in-link") }
                    TermsSection()
                })
        }
    }
}
#endif
