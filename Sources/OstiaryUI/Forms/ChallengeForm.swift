public import OstiaryCore

/// The form for a further step: a second factor, a step of the identity provider, or a step-up.
public struct ChallengeForm: Hashable, Sendable {
    /// The field that the person fills in.
    public let field: FormField
    /// The name of the answer: that of a method, or the provider's.
    let answerName: String

    /// Creates the form for a challenge.
    ///
    /// - Parameter method: The method of a second factor that the person chose; `nil` for the first one with a form.
    /// - Returns: `nil` for a challenge that this package does not support, and for a method without a form.
    public init?(_ challenge: Challenge, method: ChallengeMethod? = nil) {
        switch challenge.name {
        case "NEW_PASSWORD_REQUIRED":
            self.init(field: FormField(.newPassword, .newPassword, isChosen: true), answerName: "NEW_PASSWORD")
        case "SMS_MFA": self.init(field: FormField(.code, .code), answerName: "SMS_MFA_CODE")
        case "SOFTWARE_TOKEN_MFA": self.init(field: FormField(.code, .code), answerName: "SOFTWARE_TOKEN_MFA_CODE")
        case "EMAIL_OTP": self.init(field: FormField(.code, .code), answerName: "EMAIL_OTP_CODE")
        case Challenge.secondFactor, Challenge.stepUp:
            let chosen = method ?? challenge.methods.first { Self.fields[$0] != nil }
            guard let chosen, challenge.methods.contains(chosen), let field = Self.fields[chosen] else { return nil }
            self.init(field: field, answerName: chosen.rawValue)
        default: return nil
        }
    }

    private init(field: FormField, answerName: String) {
        self.field = field
        self.answerName = answerName
    }

    /// The fields of the methods with a form.
    static let fields: [ChallengeMethod: FormField] = [
        .totp: FormField(.code, .code), .smsCode: FormField(.code, .code), .emailCode: FormField(.code, .code),
        .recoveryCode: FormField(.recoveryCode, .recoveryCodes), .password: FormField(.password, .currentPassword),
    ]

    /// The methods whose codes the server sends.
    static let sentMethods: Set<ChallengeMethod> = [.smsCode, .emailCode]
}
