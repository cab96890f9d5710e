public import OstiaryCore

/// The rules of one app for second factors.
public struct SecondFactorPolicy: Hashable, Sendable {
    /// The accounts that are asked for a second factor.
    public var requirement: Requirement
    /// The methods that answer a challenge, in the order in which to offer them.
    public var methods: [ChallengeMethod]
    /// `true` to ask after a sign-in at an identity provider too.
    public var asksAfterFederatedSignIn: Bool
    /// The name of the app that an authenticator shows; nil for the app's name.
    public var issuer: String?

    /// The accounts that are asked for a second factor.
    public enum Requirement: String, Hashable, Sendable, CaseIterable {
        /// None: the app has no second factors.
        case off
        /// The accounts that have one.
        case optional
    }

    /// Creates a policy from its parts.
    public init(
        requirement: Requirement = .optional, methods: [ChallengeMethod] = [.passkey, .totp, .smsCode, .recoveryCode],
        asksAfterFederatedSignIn: Bool = true, issuer: String? = nil
    ) {
        self.requirement = requirement
        self.methods = methods
        self.asksAfterFederatedSignIn = asksAfterFederatedSignIn
        self.issuer = issuer
    }

    /// The lifetime of a challenge, in seconds.
    static let challengeSeconds = 300
    /// The number of wrong answers after which a challenge is refused.
    static let triesPerChallenge = 5
    /// The time between two codes that are sent to an account, in seconds.
    static let resendAfterSeconds = 60
    /// The number of codes that are sent to an account within an hour.
    static let codesPerHour = 5
    /// The time within which a factor must be confirmed, in seconds.
    static let enrolmentSeconds = 600
    /// The waits after wrong answers, for all factors and challenges of an account together.
    static let backoff = FailureBackoff(free: 10, firstSeconds: 60, longestSeconds: 3600)
}
