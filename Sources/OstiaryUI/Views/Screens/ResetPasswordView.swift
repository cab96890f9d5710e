#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// The screen for choosing a new password, with the link from a mail or with a code that is sent to the phone.
public struct ResetPasswordView: View {
    private let model: AuthViewModel
    private let done: () -> Void
    private let renew: (() -> Void)?
    /// `true` if the token came with a link, so that the person does not type it.
    @State private var hasLink: Bool

    /// Creates the screen for a view model.
    ///
    /// - Parameters:
    ///   - model: The app's view model.
    ///   - done: Returns to the sign-in.
    ///   - renew: Shows the request for another link; `nil` if there is none.
    public init(_ model: AuthViewModel, done: @escaping () -> Void, renew: (() -> Void)? = nil) {
        self.model = model
        self.done = done
        self.renew = renew
        _hasLink = State(initialValue: !model.fields.resetToken.isEmpty)
    }

    /// The form of the current step, or the result.
    public var body: some View { content.titleInBar() }

    @ViewBuilder private var content: some View {
        if model.step == .passwordReset {
            SentView(model: model, text: model.texts(.passwordReset), symbol: "checkmark.circle", done: done)
                .navigationTitle(model.texts(.passwordSet))
        } else if hasLink, let error = model.error, error.entry == .resetToken {
            DeadLinkView(
                model: model, error: error, done: done, renew: renew, renewTitle: .renewLink, renewName: "renew-link")
        } else if takesCode, model.step == .start {
            AuthFormView(
                model, .requestCode, title: .requestCodeButton, busyTitle: .requestCodeBusy,
                submit: { model.requestCode() },
                header: { Section { Text(model.texts(.resetByCodeLead)) } },
                footer: { EmptyView() }
            )
            .navigationTitle(model.texts(.resetRequest))
        } else {
            passwordForm.navigationTitle(model.texts(.resetPassword))
        }
    }

    private var passwordForm: some View {
        AuthFormView(
            model, .resetPassword, fields: fields, title: .savePassword, busyTitle: .savePasswordBusy,
            submit: { model.resetPassword() },
            header: {
                Section {
                    if takesCode { NoticeText(text: model.texts(.codeSent), symbol: "message") }
                    Text(model.texts(.resetPasswordNote))
                }
            },
            footer: {
                if takesCode {
                    ResendSection(model: model)
                } else if let renew {
                    Section { Button(model.texts(.renewLink), action: renew).accessibilityIdentifier("renew-link") }
                }
            })
    }

    private var takesCode: Bool { model.formFields(of: .resetPassword).contains { $0.entry == .code } }

    /// The fields to show: without the number, which was typed a step before, and without the token of a link, which
    /// the person need not read.
    private var fields: [FormField] {
        model.formFields(of: .resetPassword).filter { field in
            field.entry != .identifier && !(hasLink && field.entry == .resetToken)
        }
    }
}
#endif
