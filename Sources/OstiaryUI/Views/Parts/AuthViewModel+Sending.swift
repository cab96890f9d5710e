#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
extension AuthViewModel {
    /// Returns `true` while a step towards a session is under way.
    var isEntering: Bool { running.keys.contains(where: \.isEntering) }

    /// Returns `true` while the form is being sent.
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
