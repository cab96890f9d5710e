public import OstiaryClient
import OstiaryCore

extension AuthViewModel {
    /// Fills a form from a link that opened the app. Nothing is sent until the person confirms the form.
    ///
    /// - Returns: The form to show; `nil` if the link cannot be used now: a session exists and the link is not a
    ///   password reset, a sign-in is under way, or the app has no such form.
    public func fill(from link: AppLink) -> AuthForm? {
        // A link may come from an attacker, so it never interrupts an action that the person started.
        guard !running.keys.contains(where: \.isEntering) else { return nil }
        switch link {
        case .passwordReset(let link):
            guard screens.has(.resetPassword) else { return nil }
            startOver()
            fields.resetToken = link.token.reveal()
            return .resetPassword
        case .registration(let link):
            guard !isSignedIn, screens.has(.confirmRegistration) else { return nil }
            startOver()
            fields.registrationToken = link.token.reveal()
            return .confirmRegistration
        case .deviceRecognition(let link):
            guard !isSignedIn, screens.has(.signIn) else { return nil }
            startOver()
            deviceLinkToken = link.token
            return .signIn
        // The app asks for the passkey itself.
        case .passkeyRecovery: return nil
        case .signIn(let link):
            let form: AuthForm =
                switch link.screen {
                case .signIn: .signIn
                case .register: .register
                case .forgotPassword: screens.forgottenPassword ?? .requestPasswordReset
                }
            guard !isSignedIn, screens.has(form) else { return nil }
            startOver()
            if let identifier = link.identifier { fields.identifier = identifier.text }
            return form
        }
    }
}
