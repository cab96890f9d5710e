#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// Ask for a mail with a link to a new password. What it says is the same whoever has an account.
public struct ForgotPasswordView: View {
    private let model: AuthViewModel
    private let done: () -> Void

    /// - Parameter done: Goes back to the sign-in.
    public init(_ model: AuthViewModel, done: @escaping () -> Void) {
        self.model = model
        self.done = done
    }

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
