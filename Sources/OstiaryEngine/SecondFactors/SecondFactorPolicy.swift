public import OstiaryCore

/// The rules of one app for second factors.
public struct SecondFactorPolicy: Hashable, Sendable {
    /// The accounts that are asked for a second factor.
    public var requirement: Requirement
    /// The methods that answer a challenge, in the order in which to offer them.
    public var methods: [ChallengeMethod]
    /// The roles whose accounts must have a second factor, where the requirement is not ``Requirement/off``.
    public var requiredRoles: Set<String>
    /// `true` to ask after a sign-in at an identity provider too. Accounts that must have a second factor are asked in any
    /// case.
    public var asksAfterFederatedSignIn: Bool
    /// The time for which a device is remembered after it showed a second factor, in days; 0 to ask at each sign-in.
    public var rememberDeviceDays: Int
    /// The name of the app that an authenticator shows; nil for the app's name.
    public var issuer: String?

    /// The accounts that are asked for a second factor.
    public enum Requirement: String, Hashable, Sendable, CaseIterable {
        /// None: the app has no second factors.
        case off
        /// The accounts that have one.
        case optional
        /// All: an account without one adds it before its first session.
        case required
    }

    /// Creates a policy from its parts.
    public init(
        requirement: Requirement = .optional, methods: [ChallengeMethod] = [.passkey, .totp, .smsCode, .recoveryCode],
        requiredRoles: Set<String> = [], asksAfterFederatedSignIn: Bool = true, rememberDeviceDays: Int = 0,
        issuer: String? = nil
    ) {
        self.requirement = requirement
        self.methods = methods
        self.requiredRoles = requiredRoles
        self.asksAfterFederatedSignIn = asksAfterFederatedSignIn
        self.rememberDeviceDays = rememberDeviceDays
        self.issuer = issuer
    }

    /// Returns `true` if an account must have a second factor.
    public func requiresFactor(of account: Account) -> Bool {
        switch requirement {
        case .off: false
        case .optional: account.roles.contains(where: requiredRoles.contains)
        case .required: true
        }
    }

    /// Returns `true` if devices of an account can be remembered. Roles that require a factor show it at each sign-in.
    public func remembersDevices(of account: Account) -> Bool {
        rememberDeviceDays > 0 && !account.roles.contains(where: requiredRoles.contains)
    }

    /// The lifetime of a challenge, in seconds.
    static let challengeSeconds = 300
    /// The number of wrong answers after which a challenge is refused.
    static let triesPerChallenge = 5
    /// The time between two codes that are sent to an account, in seconds.
    static let resendAfterSeconds = 60
    /// The number of codes that are sent to an account within an hour.
    static let codesPerHour = 5
    /// The time within which a factor must be confirmed, and within which a sign-in must add one, in seconds.
    static let enrolmentSeconds = 600
    /// The waits after wrong answers, for all factors and challenges of an account together.
    static let backoff = FailureBackoff(free: 10, firstSeconds: 60, longestSeconds: 3600)
}
