public import OstiaryCore

/// Somebody else who checks passwords, such as a pool of AWS Cognito. What it gives out stays on the server.
///
/// Every method reaches the network and returns within five seconds. Beyond the refusals each names, any error means that
/// the authority is away or does not keep to its protocol.
public protocol PasswordAuthority: Sendable {
    /// What accounts from there have as their `auth_provider`, for example `cognito`.
    var kind: String { get }
    /// Whether a password that was accepted is hashed here as well, so that the authority can be given up one day.
    var migratesPasswords: Bool { get }

    /// Checks a password.
    ///
    /// - Throws: ``PasswordAuthorityRefusal``.
    func signIn(_ identifier: String, password: Secret<String>) async throws -> AuthorityAnswer

    /// Goes on with a sign-in.
    ///
    /// - Throws: ``PasswordAuthorityRefusal``.
    func answer(_ step: AuthorityStep, _ answers: [String: Secret<String>]) async throws -> AuthorityAnswer

    /// Asks whether the person may go on, and for what is kept from now on.
    ///
    /// - Parameter session: What ``AuthorityAnswer/accepted(_:session:)`` or the last renewal gave.
    /// - Throws: ``PasswordAuthorityRefusal/refused`` if the person may not.
    func renew(_ session: [UInt8]) async throws -> [UInt8]

    /// Tells the authority that a session ended. Best effort: throws nothing.
    func end(_ session: [UInt8]) async
}

/// What an authority says to a sign-in.
public enum AuthorityAnswer: Hashable, Sendable {
    /// `session` is the authority's own: tokens and names, to be sealed and kept.
    case accepted(ProviderIdentity, session: [UInt8])
    /// Something else is needed first.
    case step(AuthorityStep)
}

/// A next step that an authority asks for.
public struct AuthorityStep: Hashable, Codable, Sendable {
    /// The authority's name for it, for example `NEW_PASSWORD_REQUIRED`.
    public var name: String
    /// What the authority wants back.
    public var session: String
    /// Who signs in, in the authority's words.
    public var username: String
    /// For how many seconds an answer is taken.
    public var lifetimeSeconds: Int

    public init(name: String, session: String, username: String, lifetimeSeconds: Int) {
        self.name = name
        self.session = session
        self.username = username
        self.lifetimeSeconds = lifetimeSeconds
    }
}

public enum PasswordAuthorityRefusal: Error, Hashable, Sendable {
    /// Unknown person, wrong password, disabled, not confirmed, wrong answer: alike.
    case refused
    /// The new password is not acceptable to the authority.
    case passwordUnacceptable
    case throttled(retryAfterSeconds: Int)
}
