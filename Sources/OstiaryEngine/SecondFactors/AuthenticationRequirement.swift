import Foundation
import OstiaryCore

/// The authentication that an operation requires of a session. Pure.
struct AuthenticationRequirement: Hashable, Codable, Sendable {
    /// The required level.
    var level: AuthenticationLevel
    /// The maximum age of each factor, in seconds; nil for any age.
    var maximumAgeSeconds: Int?
    /// `true` if a recovery code counts in the place of the factor that it replaces: for changes of the factors
    /// themselves. Otherwise a person who lost a factor could not remove it. Source: NIST SP 800-63B-4 §4.2.
    var acceptsRecoveryCode = false

    /// The kinds of factors that are missing or too old.
    func missingKinds(in context: AuthenticationContext, at now: Date) -> Set<AuthenticationMethod.Kind> {
        let fresh = context.events.filter { isFresh($0, at: now) }
        if level == .aal1 { return fresh.isEmpty ? [.knowledge, .possession] : [] }
        var missing: Set<AuthenticationMethod.Kind> = [.knowledge, .possession]
        for event in fresh { missing.subtract(kinds(of: event.method)) }
        return missing
    }

    /// Returns `true` if a method adds what is missing.
    func isAdvanced(by method: AuthenticationMethod, missing: Set<AuthenticationMethod.Kind>) -> Bool {
        level == .aal1 || kinds(of: method).contains(where: missing.contains)
    }

    private func kinds(of method: AuthenticationMethod) -> [AuthenticationMethod.Kind] {
        acceptsRecoveryCode && method == .recoveryCode ? [.possession] : method.kinds
    }

    private func isFresh(_ event: AuthenticationContext.Event, at now: Date) -> Bool {
        guard let maximumAgeSeconds else { return true }
        return now.timeIntervalSince(event.at) <= Double(maximumAgeSeconds)
    }
}

extension AuthenticationLevel: Codable {}
