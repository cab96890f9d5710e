/// A property of a sign-in that makes it more or less likely to be the owner's. Kept in the audit log by raw value.
///
/// Signals and their weights are defined here alone: see decision 79.
public enum RiskSignal: String, CaseIterable, Codable, Hashable, Sendable {
    /// Neither the device nor the network signed in to the account before.
    case unrecognizedDevice = "unrecognized_device"
    /// The account was not signed in to from the country within `SignInHistory.retentionSeconds`.
    case newCountry = "new_country"
    /// The account was not signed in to from the autonomous system within `SignInHistory.retentionSeconds`.
    case newSystem = "new_asn"
    /// No aircraft travels from the place of the last sign-in to this one in the time between.
    case impossibleTravel = "impossible_travel"
    /// The network failed to sign in, to whichever accounts, within the last hour, more often than accounts signed in there.
    case networkFailures = "network_failures"
    /// The network hides the origin of its users.
    case anonymizingNetwork = "anonymizing_network"
    /// The account's password is known from a breach of another service.
    case compromisedPassword = "compromised_password"
    /// The account was not signed in to for `SignInCircumstances.dormantSeconds`.
    case dormantAccount = "dormant_account"
    /// The account's password was reset within `SignInCircumstances.recentResetSeconds`.
    case recentReset = "recent_reset"
    /// The device signed in to the account before.
    case recognizedDevice = "recognized_device"

    /// The number of points that the signal adds.
    public var weight: Int {
        switch self {
        case .unrecognizedDevice: 30
        case .newCountry: 25
        case .newSystem: 10
        case .impossibleTravel: 30
        case .networkFailures: 20
        case .anonymizingNetwork: 15
        case .compromisedPassword: 20
        case .dormantAccount: 20
        case .recentReset: 15
        case .recognizedDevice: -40
        }
    }
}

/// The degree of a sign-in's risk.
public enum RiskLevel: String, CaseIterable, Hashable, Sendable, Comparable {
    /// Below ``medium``.
    case low
    /// From 30 points.
    case medium
    /// From 70 points.
    case high

    /// Creates the level of a number of points.
    public init(score: Int) {
        switch score {
        case 70...: self = .high
        case 30...: self = .medium
        default: self = .low
        }
    }

    /// Orders levels by their points.
    public static func < (left: RiskLevel, right: RiskLevel) -> Bool { left.order < right.order }

    private var order: Int {
        switch self {
        case .low: 0
        case .medium: 1
        case .high: 2
        }
    }
}
