public import OstiaryCore

/// An external credential provider that verifies passwords, such as a pool of AWS Cognito. The tokens it issues stay on
/// the server.
///
/// Every method reaches the network and returns within five seconds. Beyond the refusals each names, any error means
/// that the credential provider is unavailable or violates its protocol.
public protocol ExternalCredentialProvider: Sendable {
    /// The `auth_provider` of the credential provider's accounts, for example `cognito`.
    var kind: String { get }
    /// `true` if a password that was accepted is also hashed on this server, so that the credential provider can later
    /// be retired.
    var migratesPasswords: Bool { get }

    /// Verifies a password.
    ///
    /// - Throws: ``CredentialProviderRefusal``.
    func signIn(_ identifier: String, password: Secret<String>) async throws -> CredentialProviderAnswer

    /// Continues a sign-in with the answers to the credential provider's next step.
    ///
    /// - Throws: ``CredentialProviderRefusal``.
    func answer(_ step: CredentialProviderStep, _ answers: [String: Secret<String>]) async throws
        -> CredentialProviderAnswer

    /// Asks whether the person may continue, and returns the credential provider's session to keep from now on.
    ///
    /// - Parameter session: The value that ``CredentialProviderAnswer/accepted(_:session:)`` or the last renewal gave.
    /// - Throws: ``CredentialProviderRefusal/refused`` if the person may not continue.
    func renew(_ session: [UInt8]) async throws -> [UInt8]

    /// Notifies the credential provider that a session ended. Best effort: throws nothing.
    func end(_ session: [UInt8]) async
}

/// A credential provider's answer to a sign-in.
public enum CredentialProviderAnswer: Hashable, Sendable {
    /// The sign-in succeeded. `session` is the credential provider's own state, tokens and names, to be sealed and
    /// kept.
    case accepted(ProviderIdentity, session: [UInt8])
    /// A further step is required first.
    case step(CredentialProviderStep)
}

/// A next step that a credential provider asks for.
public struct CredentialProviderStep: Hashable, Codable, Sendable {
    /// The credential provider's name for the step, for example `NEW_PASSWORD_REQUIRED`.
    public var name: String
    /// The credential provider's session, to be returned with the answer.
    public var session: String
    /// The credential provider's name of the person who signs in.
    public var username: String
    /// The number of seconds for which an answer is accepted.
    public var lifetimeSeconds: Int

    /// Creates a step from its parts.
    public init(name: String, session: String, username: String, lifetimeSeconds: Int) {
        self.name = name
        self.session = session
        self.username = username
        self.lifetimeSeconds = lifetimeSeconds
    }
}

/// The refusals of a credential provider.
public enum CredentialProviderRefusal: Error, Hashable, Sendable {
    /// Unknown person, wrong password, disabled, not confirmed, wrong answer: not distinguished.
    case refused
    /// The new password is not acceptable to the credential provider.
    case passwordUnacceptable
    /// The credential provider asks to retry later, after so many seconds.
    case throttled(retryAfterSeconds: Int)
}
