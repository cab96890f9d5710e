public import OstiaryCore

/// Hashes and checks passwords, off the cooperative thread pool.
public protocol PasswordHashing: Sendable {
    /// Hashes a password at the configured cost, in `crypt(3)` form.
    ///
    /// - Throws: `AuthError.busy(retryAfterSeconds:)` if more hashing is waiting than the server accepts.
    func hash(_ password: Secret<String>) async throws(AuthError) -> String

    /// Checks a password against a stored hash. Always costs one hash: a missing hash (`nil`), a damaged one, a
    /// password with a NUL or of more than 72 bytes are all a mismatch after the same time.
    ///
    /// - Throws: `AuthError.busy(retryAfterSeconds:)` if more hashing is waiting than the server accepts.
    func check(_ password: Secret<String>, against hash: String?) async throws(AuthError) -> PasswordMatch

    /// Registers the cost of a stored hash. If it exceeds the setting, every check costs as much from now on; otherwise
    /// the response time would reveal which accounts have such a hash.
    func expect(_ hash: String)

    /// Returns `true` if a hash of another system can be checked, at a cost that this server accepts of an import: every check
    /// costs as much from then on, see ``expect(_:)``.
    func canImport(_ hash: String) -> Bool
}

/// The result of a password check.
public enum PasswordMatch: Hashable, Sendable {
    /// The password matches the hash.
    case matches
    /// The password matches, and the stored hash has a lower cost than the setting.
    case matchesOutdatedHash
    /// The password does not match, or there is no usable hash.
    case differs
}
