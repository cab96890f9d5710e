/// One thing that can be asked of an ``AuthService``.
public protocol AuthOperation: Hashable, Sendable {
    associatedtype Answer: Hashable, Sendable
    static var kind: OperationKind { get }
    /// Asks `service` to do this.
    func perform(by service: some AuthService) async throws(AuthError) -> Answer
}

/// Every operation by name.
public enum OperationKind: String, CaseIterable, Codable, Hashable, Sendable, CodingKeyRepresentable {
    case register, confirmRegistration, signIn, requestCode, verifyCode, refresh, signOut
    case currentUser, updateProfile, changePassword, requestPasswordReset, resetPassword, deleteAccount
    case listSessions, endSession, issueSigningKey
    case beginBrowserSignIn, completeBrowserSignIn
    case socialConfiguration, beginSocialSignIn, completeSocialSignIn, signInWithIdentityToken
    case answerChallenge
}

/// The answer of an operation that has nothing to say beyond having succeeded.
public struct Done: Hashable, Sendable {
    public init() {}
}
