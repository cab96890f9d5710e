import Foundation

/// The facts of a sign-in that its risk is assessed by. Pure.
struct SignInCircumstances: Sendable {
    /// The time of the sign-in.
    var now: Date
    var recognition: Recognition
    /// `true` for a caller inside the process, which has no network.
    var isLocal: Bool
    var location: NetworkLocation
    /// The time of the last sign-in before; nil for an account that was never signed in to.
    var lastSignInAt: Date?
    var history: SignInHistory
    /// `true` if the password in force was found in a list of compromised ones.
    var hasCompromisedPassword: Bool
    /// `true` if the network failed often within the last hour.
    var hasNetworkFailures: Bool

    /// The time without a sign-in after which an account is dormant, in seconds.
    static let dormantSeconds = 180.0 * 86_400
    /// The time for which a reset of the password is recent, in seconds.
    static let recentResetSeconds = 86_400.0
    /// The speed and the distance from which travel is impossible.
    static let (travelKilometersPerHour, travelKilometers) = (900.0, 500.0)

    /// The signals that are present. Without a sign-in before, those that compare with one are absent.
    var assessment: RiskAssessment {
        var signals: Set<RiskSignal> = []
        if let lastSignInAt {
            if !isLocal, !recognition.isRecognized { signals.insert(.unrecognizedDevice) }
            if now.timeIntervalSince(lastSignInAt) >= Self.dormantSeconds { signals.insert(.dormantAccount) }
        }
        let known = history.current(at: now)
        if let country = location.country, !known.countries.isEmpty, known.countries[country] == nil {
            signals.insert(.newCountry)
        }
        if let number = location.systemNumber, !known.systems.isEmpty, known.systems[number] == nil {
            signals.insert(.newSystem)
        }
        if let here = location.coordinates, let last = known.place,
            Self.isImpossible(last.coordinates.leastDistance(to: here), in: now.timeIntervalSince(last.at))
        {
            signals.insert(.impossibleTravel)
        }
        if hasNetworkFailures { signals.insert(.networkFailures) }
        if location.isAnonymizing { signals.insert(.anonymizingNetwork) }
        if hasCompromisedPassword { signals.insert(.compromisedPassword) }
        if let resetAt = history.resetAt, (0..<Self.recentResetSeconds).contains(now.timeIntervalSince(resetAt)) {
            signals.insert(.recentReset)
        }
        if recognition.isDeviceRecognized { signals.insert(.recognizedDevice) }
        return RiskAssessment(signals: RiskSignal.allCases.filter(signals.contains), country: location.country)
    }

    private static func isImpossible(_ kilometers: Double, in seconds: TimeInterval) -> Bool {
        kilometers > travelKilometers && kilometers > travelKilometersPerHour * max(0, seconds) / 3600
    }
}
