package import Foundation

/// Signing keys are replaced once a year.
package struct SigningKeyAgeCheck: DoctorCheck {
    package static let name = "signing_keys"

    private static let oldDays = 365

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
            let old = keys.filter { days($0) > Self.oldDays }.sorted {
                $0.app.utf8.lexicographicallyPrecedes($1.app.utf8)
            }
            guard old.isEmpty else {
                return old.map { key in
                    warning(
                        "signing_key_old", "The key that signs access tokens is \(days(key)) days old.",
                        subject: key.app,
                        remedy: "Run ostiary keys rotate --app \(key.app): nobody is signed out.")
                }
            }
            return [ok("The oldest signing key in use is \(keys.map(days).max() ?? 0) days old.")]
        }
    }

    private func days(_ key: SigningKeyFacts) -> Int { Int(now.timeIntervalSince(key.createdAt) / 86_400) }
}
