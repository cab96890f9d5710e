package import Foundation

/// Signing keys are replaced once a year.
package struct SigningKeyAgeCheck: DoctorCheck {
    package static let name = "signing_keys"

    private static let oldDays = 365
    /// A schedule publishes a key a day before it signs; clocks may differ by another.
    private static let aheadDays = -2

    let keys: Observed<[SigningKeyFacts]>
    let now: Date

    package init(keys: Observed<[SigningKeyFacts]>, now: Date) {
        self.keys = keys
        self.now = now
    }

    package func findings() -> [DoctorFinding] {
        switch keys {
        case .unknown(let reason): return [skipped(reason)]
        case .value(let keys) where keys.isEmpty:
            return [ok("No app has a signing key: tokens are signed with jwt_secret.")]
        case .value(let keys):
            let sorted = keys.sorted { $0.app.utf8.lexicographicallyPrecedes($1.app.utf8) }
            let problems = sorted.compactMap(problem)
            guard problems.isEmpty else { return problems }
            return [ok("The oldest signing key in use is \(max(0, keys.map(days).max() ?? 0).counting("day")) old.")]
        }
    }

    private func problem(_ key: SigningKeyFacts) -> DoctorFinding? {
        let remedy = "Run ostiary keys rotate --app \(key.app): nobody is signed out."
        if days(key) > Self.oldDays {
            return warning(
                "signing_key_old", "The key that signs access tokens is \(days(key).counting("day")) old.",
                subject: key.app,
                remedy: remedy)
        }
        if days(key) < Self.aheadDays {
            return warning(
                "signing_key_ahead",
                "The newest key signs in \((-days(key)).counting("day")): a clock was ahead when it was made. Earlier keys stay accepted.",
                subject: key.app, remedy: remedy)
        }
        return nil
    }

    private func days(_ key: SigningKeyFacts) -> Int { Int(now.timeIntervalSince(key.createdAt) / 86_400) }
}
