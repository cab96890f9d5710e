#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// The navigation of a sign-in: its first screen, and the screens that follow.
struct EntryView: View {
    let model: AuthViewModel
    @Binding var path: [AuthForm]
    /// The action that closes the sheet with the screens; `nil` outside of a sheet.
    var cancel: (() -> Void)?

    var body: some View {
        NavigationStack(path: $path) {
            SignInView(model) { go(to: $0) }
                .environment(\.isCovered, !path.isEmpty)
                .cancelButton(model.texts, cancel)
                .navigationDestination(for: AuthForm.self) { form in
                    EntryScreen(
                        model: model, form: form, done: { path = [] }, turn: turn, open: { path.append($0) })
                }
        }
        .onChange(of: model.step) { _, step in follow(step) }
        .onChange(of: path) { old, new in
            if let left = old.last, new.count < old.count, old.starts(with: new) { leave(left) }
        }
        // After a sign-in there is nothing to abandon, and the action that completed it may still be finishing.
        .onDisappear { if !model.isSignedIn { model.abandon() } }
    }

    private func go(to form: AuthForm) {
        model.startOver()
        path.append(form)
    }

    /// Replaces the screens above the sign-in.
    private func turn(to form: AuthForm) {
        model.startOver()
        path = [form]
    }

    private func follow(_ step: AuthStep) {
        switch step {
        case .challenge: path = [.answerChallenge]
        // The provider no longer accepts an answer; the sign-in shows the reason.
        case .start where path.first == .answerChallenge: path = []
        case .passwordReset: path = []
        case .start, .codeSent, .codeVerified, .confirmationSent, .resetSent: break
        }
    }

    /// Discards the progress on a screen that the person has left by going back.
    private func leave(_ form: AuthForm) {
        switch (form, model.step) {
        case (.answerChallenge, .start), (_, .passwordReset): break
        // The choice of another factor.
        case (.confirmTOTP, _): break
        default: model.startOver()
        }
    }
}

/// The screen of one form.
private struct EntryScreen: View {
    let model: AuthViewModel
    let form: AuthForm
    let done: () -> Void
    let turn: (AuthForm) -> Void
    let open: (AuthForm) -> Void

    var body: some View {
        switch form {
        case .requestCode, .verifyCode: CodeView(model, done: done)
        case .register where model.screens.registersWithCode: CodeView(model, done: done)
        case .register: RegistrationView(model, done: done)
        case .answerChallenge: ChallengeView(model, done: done, open: open)
        case .confirmTOTP: AddAuthenticatorView(model)
        case .requestPasswordReset: ForgotPasswordView(model, done: done)
        case .resetPassword: ResetPasswordView(model, done: done, renew: other(.requestPasswordReset))
        case .confirmRegistration: ConfirmRegistrationView(model, done: done, renew: other(.register))
        case .signIn, .updateProfile, .changePassword, .deleteAccount, .renameFactor, .stepUp: EmptyView()
        }
    }

    /// Returns an action that shows another form instead; `nil` if the app has no such form.
    private func other(_ form: AuthForm) -> (() -> Void)? { model.screens.has(form) ? { turn(form) } : nil }
}
#endif
