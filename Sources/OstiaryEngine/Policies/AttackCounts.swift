import Synchronization

/// An attack on many accounts that a limit was reached by, by its name in metrics and audit events.
public enum Attack: String, CaseIterable, Hashable, Sendable {
    /// Many identifiers from one network: ``CredentialStuffingPolicy``.
    case credentialStuffing = "credential_stuffing"
    /// One password for many accounts: ``PasswordSprayingPolicy``.
    case passwordSpraying = "password_spraying"
    /// Many registrations: ``RegistrationCaps``.
    case massRegistration = "mass_registration"
}

/// Counts the sign-ins that a limit on attacks stopped, since the start of the process.
public final class AttackCounts: Sendable {
    private let state = Mutex<[Attack: Int]>([:])

    /// Creates counters of 0.
    public init() {}

    func add(_ attack: Attack) { state.withLock { $0[attack, default: 0] += 1 } }

    /// Returns the number of sign-ins that a limit on an attack stopped.
    public func count(_ attack: Attack) -> Int { state.withLock { $0[attack] ?? 0 } }
}
