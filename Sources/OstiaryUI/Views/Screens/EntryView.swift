#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// The way in: the sign-in, and the screens that it leads to.
struct EntryView: View {
    let model: AuthViewModel
    @Binding var path: [AuthForm]
    /// Closes the sheet that the screens are in; nil where they are in none.
    var cancel: (() -> Void)?

    var body: some View {
        NavigationStack(path: $path) {
            SignInView(model) { go(to: $0) }
                .environment(\.isCovered, !path.isEmpty)
                .cancelButton(model.texts, cancel)
                .navigationDestination(for: AuthForm.self) { form in
                    EntryScreen(model: model, form: form, done: { path = [] }, turn: turn)
                }
        }
        .onChange(of: model.step) { _, step in follow(step) }
        .onChange(of: path) { old, new in
            if let left = old.last, new.count < old.count, old.starts(with: new) { leave(left) }
        }
        // Whoever has come in leaves nothing behind, and what brought them in may still be finishing.
        .onDisappear { if !model.isSignedIn { model.abandon() } }
    }

    private func go(to form: AuthForm) {
        model.startOver()
        path.append(form)
    }

    /// Instead of the screen that is on top.
    private func turn(to form: AuthForm) {
        model.startOver()
        path = [form]
    }

    private func follow(_ step: AuthStep) {
        switch step {
        case .challenge: path = [.answerChallenge]
        // The provider waits no longer: why, the sign-in says.
        case .start where path == [.answerChallenge]: path = []
        case .passwordReset: path = []
        case .start, .codeSent, .codeVerified, .confirmationSent, .resetSent: break
        }
    }

    /// The person went back: what they began there is over.
    private func leave(_ form: AuthForm) {
        switch (form, model.step) {
        case (.answerChallenge, .start), (_, .passwordReset): break
        default: model.startOver()
        }
    }
}

/// The screen of a form.
private struct EntryScreen: View {
    let model: AuthViewModel
    let form: AuthForm
    let done: () -> Void
    let turn: (AuthForm) -> Void

    var body: some View {
        switch form {
        case .requestCode, .verifyCode: CodeView(model, done: done)
        case .register where model.screens.registersWithCode: CodeView(model, done: done)
        case .register: RegistrationView(model, done: done)
        case .answerChallenge: ChallengeView(model, done: done)
        case .requestPasswordReset: ForgotPasswordView(model, done: done)
        case .resetPassword: ResetPasswordView(model, done: done, renew: other(.requestPasswordReset))
        case .confirmRegistration: ConfirmRegistrationView(model, done: done, renew: other(.register))
        case .signIn, .updateProfile, .changePassword, .deleteAccount: EmptyView()
        }
    }

    /// Goes to another form instead; nil if the app has none.
    private func other(_ form: AuthForm) -> (() -> Void)? { model.screens.has(form) ? { turn(form) } : nil }
}
#endif
