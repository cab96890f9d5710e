#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
extension AuthViewModel {
    /// Whether anything is under way to a session.
    var isEntering: Bool { running.keys.contains(where: \.isEntering) }

    /// Whether what was typed into a form is under way.
    func isSending(_ form: AuthForm) -> Bool {
        let action: AuthAction =
            switch form {
            case .signIn: .signIn
            case .register: .register
            case .confirmRegistration: .confirmRegistration
            case .requestCode: .requestCode
            case .verifyCode: .verifyCode
            case .answerChallenge: .answerChallenge
            case .requestPasswordReset: .requestPasswordReset
            case .resetPassword: .resetPassword
            case .updateProfile: .updateProfile
            case .changePassword: .changePassword
            case .deleteAccount: .deleteAccount
            }
        return isBusy(action)
    }
}
#endif
