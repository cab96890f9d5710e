public import OstiaryCore

/// Where a link from outside, in a mail, a message or another app, wants to lead in an app.
///
/// A link only shows a screen. Nothing is sent because of it before the person has agreed to it there.
public enum AppLink: Hashable, Sendable {
    case signIn(SignInLink)
    case resetPassword(PasswordResetLink)
    case confirmRegistration(RegistrationLink)
}

/// A link to one of the screens before sign-in, for example `barqnet://sign-in?phone=+15551234567`.
public struct SignInLink: Hashable, Sendable {
    public let screen: Screen
    /// To be filled in, and to be seen before it is used; nil if the link has none that the contract's people sign in with.
    public let identifier: Identifier?

    public enum Screen: String, Hashable, Sendable, CaseIterable {
        case signIn = "sign-in"
        case register
        case forgotPassword = "forgot-password"
    }

    public init(screen: Screen, identifier: Identifier? = nil) {
        self.screen = screen
        self.identifier = identifier
    }
}

/// A link out of the mail to someone who has forgotten their password.
public struct PasswordResetLink: Hashable, Sendable {
    /// For ``OstiaryCore/ResetPassword``, together with a password that the person thinks up on the screen.
    public let token: Secret<String>

    public init(token: Secret<String>) { self.token = token }

    static let page = "reset-password"
}

/// A link out of the mail that finishes a registration.
public struct RegistrationLink: Hashable, Sendable {
    /// For ``AuthClient/confirmRegistration(token:password:)``, together with the password that the person chose.
    public let token: Secret<String>

    public init(token: Secret<String>) { self.token = token }

    static let page = "confirm-registration"
}
