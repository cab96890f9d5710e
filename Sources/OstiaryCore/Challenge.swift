/// A further step that a sign-in requires: a second factor, or a step of an identity provider.
public struct Challenge: Hashable, Sendable {
    /// The name of the step: ``secondFactor``, ``enrollFactor``, or the provider's, for example `NEW_PASSWORD_REQUIRED`.
    public var name: String
    /// The token that ``AnswerChallenge`` must carry.
    public var token: Secret<String>
    /// The methods that answer the step, in the order in which to offer them; empty for a step of a provider.
    public var methods: [ChallengeMethod]
    /// The time within which the step must be answered, in seconds; nil if the server does not say.
    public var expiresInSeconds: Int?
    /// The time for which the server remembers this device if ``AnswerChallenge/rememberDevice`` asks for it, in days; nil if
    /// it does not.
    public var rememberDeviceDays: Int?

    /// The name of the step that asks for a second factor.
    public static let secondFactor = "SECOND_FACTOR"
    /// The name of the step that raises the authentication of a session, which no server sends.
    public static let stepUp = "STEP_UP"
    /// The name of the step that requires the account to add a second factor. Its token takes the place of an access token
    /// in the operations that add one; the last of them completes the sign-in.
    public static let enrollFactor = "ENROLL_FACTOR"

    /// Creates a challenge from its parts.
    public init(
        name: String, token: Secret<String>, methods: [ChallengeMethod] = [], expiresInSeconds: Int? = nil,
        rememberDeviceDays: Int? = nil
    ) {
        self.name = name
        self.token = token
        self.methods = methods
        self.expiresInSeconds = expiresInSeconds
        self.rememberDeviceDays = rememberDeviceDays
    }
}

/// A method that answers a challenge, and the name of its answer. A server may have methods that this list lacks.
public struct ChallengeMethod: RawRepresentable, Hashable, Sendable {
    /// The name on the wire, the same in every contract.
    public let rawValue: String

    /// Creates a method from its name on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The password, for a step-up.
    public static let password = ChallengeMethod(rawValue: "password")
    /// A passkey.
    public static let passkey = ChallengeMethod(rawValue: "passkey")
    /// A time-based one-time password of an authenticator app. Source: RFC 6238.
    public static let totp = ChallengeMethod(rawValue: "totp")
    /// A code sent by text message.
    public static let smsCode = ChallengeMethod(rawValue: "sms_code")
    /// A code sent by email.
    public static let emailCode = ChallengeMethod(rawValue: "email_code")
    /// A code that replaces a lost factor once.
    public static let recoveryCode = ChallengeMethod(rawValue: "recovery_code")
}

/// The authentication that an operation requires. Source: RFC 9470 §3.
public struct StepUpRequirement: Hashable, Sendable {
    /// The challenge whose answer satisfies the requirement; nil if only a new sign-in does.
    public var challenge: Challenge?
    /// The required level; nil for any.
    public var level: AuthenticationLevel?
    /// The maximum age of the authentication, in seconds; nil for any age.
    public var maximumAgeSeconds: Int?

    /// Creates a requirement from its parts.
    public init(challenge: Challenge? = nil, level: AuthenticationLevel? = nil, maximumAgeSeconds: Int? = nil) {
        self.challenge = challenge
        self.level = level
        self.maximumAgeSeconds = maximumAgeSeconds
    }
}
