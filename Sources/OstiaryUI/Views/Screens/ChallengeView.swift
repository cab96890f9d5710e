#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryCore
public import SwiftUI

/// The screen for a further step: a second factor with a choice of methods, or a step of the identity provider.
public struct ChallengeView: View {
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

    /// The form of the challenge; for an unsupported challenge the error.
    public var body: some View {
        content.navigationTitle(model.texts(.challengeTitle)).titleInBar()
    }

    @ViewBuilder private var content: some View {
        if let form = model.challengeForm {
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

    /// The methods besides the current one.
    @ViewBuilder private var otherMethods: some View {
        let others = model.challengeMethods.filter { $0 != model.challengeMethod }
        if !others.isEmpty {
            Section {
                ForEach(others, id: \.self) { method in
                    Button(model.texts(title(of: method))) { model.chooseMethod(method) }
                        .accessibilityIdentifier("use-\(method.rawValue)")
                }
            }
        }
    }

    private func title(of method: ChallengeMethod) -> TextKey {
        switch method {
        case .passkey: .usePasskey
        case .totp: .useAuthenticator
        case .smsCode: .useTextMessage
        case .emailCode: .useEmailCode
        default: .useRecoveryCode
        }
    }

    private var back: some View {
        Button(model.texts(.backToSignIn), action: done).accessibilityIdentifier("back-to-sign-in")
    }
}
#endif
