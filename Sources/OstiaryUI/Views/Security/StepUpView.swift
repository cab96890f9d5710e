#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryCore
import SwiftUI

/// The question to authenticate again, with a choice of methods.
struct StepUpView: View {
    let model: AuthViewModel

    var body: some View {
        content
            .navigationTitle(model.texts(.stepUpTitle))
            .titleInBar()
            .cancelButton(model.texts) { model.cancelStepUp() }
    }

    @ViewBuilder private var content: some View {
        if let form = model.stepUpForm {
            AuthFormView(
                model, .stepUp, title: .challengeButton, busyTitle: .challengeBusy, startsAt: form.field.entry,
                submit: { model.answerStepUp() },
                header: { Section { NoticeText(text: introduction(of: form)) } },
                footer: {
                    if model.sendsStepUpCode {
                        Section {
                            ResendButton(
                                model: model, title: .requestCodeButton, isEnabled: !model.isBusy(.stepUpCode),
                                action: { model.sendStepUpCode() })
                        }
                    }
                    otherMethods
                }
            )
            .id(form)
        } else {
            Form {
                if let error = model.error { Section { ErrorBanner(model: model, error: error) } }
                if model.stepUpMethod == .passkey {
                    Section {
                        NoticeText(text: model.texts(.challengePasskey))
                        SubmitButton(
                            title: model.texts(.passkeyButton), busyTitle: model.texts(.challengeBusy),
                            isBusy: model.isBusy(.stepUpPasskey), isEnabled: !model.isBusy(.stepUpPasskey),
                            action: { model.answerStepUpWithPasskey() }
                        )
                        .accessibilityIdentifier("step-up-passkey")
                    }
                }
                otherMethods
            }
            .formStyle(.grouped)
        }
    }

    private func introduction(of form: ChallengeForm) -> String {
        switch form.field.entry {
        case .code: model.texts(.challengeCode)
        case .recoveryCode: model.texts(.challengeRecoveryCode)
        default: model.texts(.stepUpLead)
        }
    }

    @ViewBuilder private var otherMethods: some View {
        MethodSection(
            model: model, methods: model.stepUpMethods.filter { $0 != model.stepUpMethod },
            choose: { model.chooseStepUpMethod($0) })
    }
}

/// Buttons for the methods besides the current one.
struct MethodSection: View {
    let model: AuthViewModel
    let methods: [ChallengeMethod]
    let choose: (ChallengeMethod) -> Void

    var body: some View {
        if !methods.isEmpty {
            Section {
                ForEach(methods, id: \.self) { method in
                    Button(model.texts(title(of: method))) { choose(method) }
                        .accessibilityIdentifier("use-\(method.rawValue)")
                }
            }
        }
    }

    private func title(of method: ChallengeMethod) -> TextKey {
        switch method {
        case .password: .usePassword
        case .passkey: .usePasskey
        case .totp: .useAuthenticator
        case .smsCode: .useTextMessage
        case .emailCode: .useEmailCode
        default: .useRecoveryCode
        }
    }
}
#endif
