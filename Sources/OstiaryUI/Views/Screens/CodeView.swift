#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryClient
import OstiaryCore
public import SwiftUI

/// The screen for registering with a phone number: the number, the code that was sent to it, and a password.
public struct CodeView: View {
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

    /// The form of the current step.
    public var body: some View {
        step.navigationTitle(model.texts(title)).titleInBar()
    }

    @ViewBuilder private var step: some View {
        switch model.step {
        case .codeSent: CodeEntryView(model: model)
        case .codeVerified:
            AuthFormView(
                model, .register, fields: fields(of: .register) { $0 != .identifier && $0 != .code },
                title: .registerButton, busyTitle: .registerBusy, startsAt: .password, submit: { model.register() },
                header: { Section { NoticeText(text: model.texts(.choosePasswordExplanation)) } },
                footer: { EmptyView() })
        default:
            AuthFormView(
                model, .requestCode, title: .requestCodeButton, busyTitle: .requestCodeBusy, startsAt: .identifier,
                submit: { model.requestCode() },
                header: { Section { NoticeText(text: model.texts(.codeExplanation)) } },
                footer: {
                    Section { Button(model.texts(.signInLink), action: done).accessibilityIdentifier("sign-in-link") }
                    TermsSection()
                })
        }
    }

    private var title: TextKey {
        switch model.step {
        case .codeSent: .codeEntryTitle
        case .codeVerified: .choosePasswordTitle
        default: .codeTitle
        }
    }

    private func fields(of form: AuthForm, where isShown: (AuthFields.Entry) -> Bool) -> [FormField] {
        model.formFields(of: form).filter { isShown($0.entry) }
    }
}

/// The input of the code that was sent, with a button for another code after the waiting time.
private struct CodeEntryView: View {
    let model: AuthViewModel

    var body: some View {
        AuthFormView(
            model, .verifyCode, fields: model.formFields(of: .verifyCode).filter { $0.entry == .code },
            title: .verifyCodeButton, busyTitle: .verifyCodeBusy, startsAt: .code, submit: { model.verifyCode() },
            header: {
                Section {
                    NoticeText(
                        text: model.texts(
                            .codeSentTo, ["number": model.code?.phoneNumber.e164 ?? model.fields.identifier]),
                        symbol: "message")
                }
            },
            footer: {
                Section {
                    Button(model.texts(.resendButton)) { model.requestCode() }
                        .disabled(!model.canSubmit(.requestCode))
                        .accessibilityIdentifier("resend")
                    Button(model.texts(.otherNumber)) { model.startOver() }.accessibilityIdentifier("other-number")
                } footer: {
                    if model.resendSeconds > 0 {
                        Text(model.texts(.resendWait, ["wait": model.texts.wait(.seconds(model.resendSeconds))]))
                            .monospacedDigit()
                            .accessibilityAddTraits(.updatesFrequently)
                    }
                }
            })
    }
}
#endif
