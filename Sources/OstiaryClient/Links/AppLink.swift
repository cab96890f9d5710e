public import OstiaryCore

/// The destination in the app of a link from outside, in an email, a message or another app.
///
/// A link only shows a screen. Nothing is sent because of it until the user confirms it there.
public enum AppLink: Hashable, Sendable {
    /// A link to one of the screens before sign-in.
    case signIn(SignInLink)
    /// A link from a password reset email.
    case passwordReset(PasswordResetLink)
    /// A link from a registration email.
    case registration(RegistrationLink)
    /// A link from an email that recovers an account whose passkeys are lost.
    case passkeyRecovery(PasskeyRecoveryLink)
    /// A link from an email by which the account recognizes this device.
    case deviceRecognition(DeviceRecognitionLink)
}

/// A link to one of the screens before sign-in, for example `barqnet://sign-in?phone=+15551234567`.
public struct SignInLink: Hashable, Sendable {
    /// The screen to show.
    public let screen: Screen
    /// The identifier to fill in, shown to the user before it is used; nil if the link has none of the kind that the
    /// contract signs in with.
    public let identifier: Identifier?

    /// The screens before sign-in; the raw value is the page's name in a link.
    public enum Screen: String, Hashable, Sendable, CaseIterable {
        /// The sign-in screen.
        case signIn = "sign-in"
        /// The registration screen.
        case register
        /// The screen on which a password reset is requested.
        case forgotPassword = "forgot-password"
    }

    /// Creates a link from its parts.
    public init(screen: Screen, identifier: Identifier? = nil) {
        self.screen = screen
        self.identifier = identifier
    }
}

/// A link from a password reset email.
public struct PasswordResetLink: Hashable, Sendable {
    /// The token for ``OstiaryCore/ResetPassword``, sent with the new password that the user enters on the screen.
    public let token: Secret<String>

    /// Creates a link with the token.
    public init(token: Secret<String>) { self.token = token }

    static let page = "reset-password"
}

/// A link from an email that completes a registration.
public struct RegistrationLink: Hashable, Sendable {
    /// The token that completes the registration, sent with the password chosen before.
    public let token: Secret<String>

    /// Creates a link with the token.
    public init(token: Secret<String>) { self.token = token }

    static let page = "confirm-registration"
}

/// A link from an email that adds a passkey to an account whose passkeys are lost.
public struct PasskeyRecoveryLink: Hashable, Sendable {
    /// The token for ``AuthClient/recoverAccount(token:name:withPasskeyFrom:)``, called when the user asks for the passkey.
    public let token: Secret<String>

    /// Creates a link with the token.
    public init(token: Secret<String>) { self.token = token }

    static let page = "recover-passkey"
}

/// A link from an email by which the account recognizes this device, after too many wrong passwords elsewhere.
public struct DeviceRecognitionLink: Hashable, Sendable {
    /// The token for ``AuthClient/redeemDeviceLink(token:)``, called when the user confirms it.
    public let token: Secret<String>

    /// Creates a link with the token.
    public init(token: Secret<String>) { self.token = token }

    static let page = "recognize-device"
}
