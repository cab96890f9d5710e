public import OstiaryClient
import OstiaryCore

extension AuthViewModel {
    /// Fills in what a link from outside holds. Nothing is sent before the person has seen it and agreed.
    ///
    /// - Returns: The form to show; nil if the link is of no use now: somebody is signed in, a sign-in is under way, or the
    ///   app has no such form.
    public func fill(from link: AppLink) -> AuthForm? {
        // Anybody can write a link: none interrupts what the person began.
        guard !running.keys.contains(where: \.isEntering) else { return nil }
        switch link {
        case .resetPassword(let link):
            guard screens.has(.resetPassword) else { return nil }
            startOver()
            fields.resetToken = link.token.reveal()
            return .resetPassword
        case .confirmRegistration(let link):
            guard !isSignedIn, screens.has(.confirmRegistration) else { return nil }
            startOver()
            fields.registrationToken = link.token.reveal()
            return .confirmRegistration
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
