/// An operation of an ``AuthService``, with its parameters as properties.
public protocol AuthOperation: Hashable, Sendable {
    /// The result of the operation if it succeeds.
    associatedtype Answer: Hashable, Sendable
    /// The name of the operation, under which a contract lists its endpoint.
    static var kind: OperationKind { get }
    /// Performs this operation by calling the corresponding method of `service`.
    ///
    /// - Throws: ``AuthError``; the operation's type documents the cases.
    func perform(by service: some AuthService) async throws(AuthError) -> Answer
}

/// The name of an operation: a contract's key for its endpoint, one case for each ``AuthOperation``.
public enum OperationKind: String, CaseIterable, Codable, Hashable, Sendable, CodingKeyRepresentable {
    /// Registration, sign-in with a password or a code, refresh and sign-out.
    case register, confirmRegistration, signIn, requestCode, verifyCode, refresh, signOut
    /// Operations on the account and its password.
    case currentUser, updateProfile, changePassword, requestPasswordReset, resetPassword, deleteAccount
    /// Operations on the account's sessions and their signing keys.
    case listSessions, endSession, issueSigningKey
    /// Sign-in in a browser through the app's backend.
    case beginBrowserSignIn, completeBrowserSignIn
    /// Sign-in with a social identity provider.
    case socialConfiguration, beginSocialSignIn, completeSocialSignIn, signInWithIdentityToken
    /// The answer to a further step that an identity provider requires.
    case answerChallenge
}

/// The result of an operation that returns no value if it succeeds.
public struct Done: Hashable, Sendable {
    /// Creates the empty result.
    public init() {}
}
