#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// The screen for requesting a mail with a link to a new password. Its answer does not reveal if an account exists.
public struct ForgotPasswordView: View {
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

    /// The form, or a note once the mail was requested.
    public var body: some View { content.titleInBar() }

    @ViewBuilder private var content: some View {
        if model.step == .resetSent {
            SentView(
                model: model, text: model.texts(.resetSent), note: model.texts(.noMail), done: done
            )
            .navigationTitle(model.texts(.checkMail))
        } else {
            AuthFormView(
                model, .requestPasswordReset, title: .sendLink, busyTitle: .sendLinkBusy,
                submit: { model.requestPasswordReset() },
                header: { Section { Text(model.texts(.resetRequestLead)) } },
                footer: { EmptyView() }
            )
            .navigationTitle(model.texts(.resetRequest))
        }
    }
}
#endif
