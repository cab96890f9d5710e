public import OstiaryCore

/// The form for a further step that a sign-in requires: a second factor, or a step of the identity provider.
public struct ChallengeForm: Hashable, Sendable {
    /// The field that the person fills in.
    public let field: FormField
    /// The provider's name for the answer.
    let answerName: String

    /// Creates the form for a challenge.
    ///
    /// - Returns: `nil` for a challenge that this package does not support.
    public init?(_ challenge: Challenge) {
        switch challenge.name {
        case "NEW_PASSWORD_REQUIRED":
            self.init(field: FormField(.newPassword, .newPassword, isChosen: true), answerName: "NEW_PASSWORD")
        case "SMS_MFA": self.init(field: FormField(.code, .code), answerName: "SMS_MFA_CODE")
        case "SOFTWARE_TOKEN_MFA": self.init(field: FormField(.code, .code), answerName: "SOFTWARE_TOKEN_MFA_CODE")
        case "EMAIL_OTP": self.init(field: FormField(.code, .code), answerName: "EMAIL_OTP_CODE")
        case Challenge.secondFactor where challenge.methods.contains(.totp):
            self.init(field: FormField(.code, .code), answerName: ChallengeMethod.totp.rawValue)
        default: return nil
        }
    }

    private init(field: FormField, answerName: String) {
        self.field = field
        self.answerName = answerName
    }
}
