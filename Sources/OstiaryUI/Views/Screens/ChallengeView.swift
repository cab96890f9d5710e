#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryCore
public import SwiftUI

/// The screen for a further step: a second factor with a choice of methods, or a step of the identity provider.
public struct ChallengeView: View {
    @FocusState private var focus: AuthFields.Entry?
    private let model: AuthViewModel
    private let done: () -> Void
    private let open: (AuthForm) -> Void

    /// Creates the screen for a view model.
    ///
    /// - Parameters:
    ///   - model: The app's view model.
    ///   - done: Returns to the sign-in.
    ///   - open: Shows the screen of another form: ``AuthForm/confirmTOTP``, if an account must add a second factor.
    public init(
        _ model: AuthViewModel, done: @escaping () -> Void, open: @escaping (AuthForm) -> Void = { _ in }
    ) {
        self.model = model
        self.done = done
        self.open = open
    }

    /// The form of the challenge; for an unsupported challenge the error.
    public var body: some View {
        content.navigationTitle(model.texts(.challengeTitle)).titleInBar()
    }

    @ViewBuilder private var content: some View {
        if model.mustAddFactor {
            FactorChoiceView(model: model, open: open, done: done)
        } else if let form = model.challengeForm {
            AuthFormView(
                model, .answerChallenge, title: .challengeButton, busyTitle: .challengeBusy,
                startsAt: form.field.entry, submit: { model.answerChallenge() },
                header: { Section { NoticeText(text: model.texts(introduction(of: form))) } },
                footer: {
                    if model.sendsChallengeCode {
                        Section {
                            ResendButton(
                                model: model, title: .requestCodeButton, isEnabled: !model.isBusy(.challengeCode),
                                action: { model.sendChallengeCode() })
                        }
                    }
                    otherMethods
                    Section { back }
                }
            )
            // Another method is another form: its field gets the focus.
            .id(form)
        } else {
            Form {
                if let error = model.error { Section { ErrorBanner(model: model, error: error) } }
                if model.challengeMethod == .passkey {
                    Section {
                        NoticeText(text: model.texts(.challengePasskey))
                        if let field = model.rememberDeviceField {
                            AuthFieldRow(
                                model: model, field: field, form: .answerChallenge, focus: $focus, isLast: true,
                                onReturn: {})
                        }
                        SubmitButton(
                            title: model.texts(.passkeyButton), busyTitle: model.texts(.challengeBusy),
                            isBusy: model.isBusy(.passkey), isEnabled: !model.isBusy(.passkey),
                            action: { model.answerWithPasskey() }
                        )
                        .accessibilityIdentifier("answer-passkey")
                    }
                }
                otherMethods
                Section { back }
            }
            .formStyle(.grouped)
        }
    }

    private func introduction(of form: ChallengeForm) -> TextKey {
        switch form.field.entry {
        case .code: .challengeCode
        case .recoveryCode: .challengeRecoveryCode
        default: .challengePassword
        }
    }

    private var otherMethods: some View {
        MethodSection(
            model: model, methods: model.challengeMethods.filter { $0 != model.challengeMethod },
            choose: { model.chooseMethod($0) })
    }

    private var back: some View {
        Button(model.texts(.backToSignIn), action: done).accessibilityIdentifier("back-to-sign-in")
    }
}
#endif
