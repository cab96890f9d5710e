public import OstiaryCore

/// What a person is asked for where the identity provider wants another step.
public struct ChallengeForm: Hashable, Sendable {
    public let field: FormField
    /// What the provider calls the answer.
    let answerName: String

    /// - Returns: Nil for a step that cannot be taken here.
    public init?(_ challenge: Challenge) {
        switch challenge.name {
        case "NEW_PASSWORD_REQUIRED":
            self.init(field: FormField(.newPassword, .newPassword, isChosen: true), answerName: "NEW_PASSWORD")
        case "SMS_MFA": self.init(field: FormField(.code, .code), answerName: "SMS_MFA_CODE")
        case "SOFTWARE_TOKEN_MFA": self.init(field: FormField(.code, .code), answerName: "SOFTWARE_TOKEN_MFA_CODE")
        case "EMAIL_OTP": self.init(field: FormField(.code, .code), answerName: "EMAIL_OTP_CODE")
        default: return nil
        }
    }

    private init(field: FormField, answerName: String) {
        self.field = field
        self.answerName = answerName
    }
}
