/// The reactions of one app to the risk of a sign-in.
public struct RiskPolicy: Hashable, Sendable {
    /// The level from which the owner is informed of a sign-in.
    public var notify: Threshold
    /// The level from which a sign-in needs a second factor, or a code by email.
    public var challenge: Threshold
    /// The level from which a sign-in is refused as if the credentials were wrong.
    public var refuse: Threshold

    /// The level from which a reaction follows.
    public enum Threshold: String, CaseIterable, Hashable, Sendable {
        /// No level.
        case never
        /// ``RiskLevel/medium``.
        case medium
        /// ``RiskLevel/high``.
        case high

        /// Returns `true` if the level is reached.
        public func isReached(by level: RiskLevel) -> Bool {
            switch self {
            case .never: false
            case .medium: level >= .medium
            case .high: level >= .high
            }
        }
    }

    /// Creates a policy from its parts.
    public init(notify: Threshold = .medium, challenge: Threshold = .never, refuse: Threshold = .never) {
        self.notify = notify
        self.challenge = challenge
        self.refuse = refuse
    }

    /// The policy of an app whose sign-ins are not assessed.
    public static let off = RiskPolicy(notify: .never)

    /// `true` if no sign-in is assessed.
    var isOff: Bool { notify == .never && challenge == .never && refuse == .never }

    /// The number of notices to one owner in an hour, and in a day.
    static let (noticesPerHour, noticesPerDay) = (1, 5)
}
