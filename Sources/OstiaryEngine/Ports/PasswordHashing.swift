public import OstiaryCore

/// Hashes and checks passwords, away from the cooperative threads.
public protocol PasswordHashing: Sendable {
    /// - Throws: ``AuthError/busy(retryAfterSeconds:)`` if more hashing waits than the server takes on.
    func hash(_ password: Secret<String>) async throws(AuthError) -> String

    /// Checks a password against a stored hash. Costs one hash whatever is given: no account (`nil`), a damaged hash, a
    /// password with a NUL or of more than 72 bytes are all a mismatch after the same time.
    ///
    /// - Throws: ``AuthError/busy(retryAfterSeconds:)`` if more hashing waits than the server takes on.
    func check(_ password: Secret<String>, against hash: String?) async throws(AuthError) -> PasswordMatch

    /// Tells of a stored hash. Where it is costlier than the setting, everybody's check costs as much from now on: else
    /// the time would tell which accounts have one.
    func expect(_ hash: String)

    /// Whether a hash from elsewhere is one that ``check(_:against:)`` can check.
    func canCheck(_ hash: String) -> Bool
}

public enum PasswordMatch: Hashable, Sendable {
    case matches
    /// It matches, and the stored hash is cheaper than the setting asks for.
    case matchesOutdatedHash
    case differs
}
