/// The kind of a counted attempt; each kind has its own buckets.
public enum AttemptKind: String, CaseIterable, Hashable, Sendable {
    /// A sign-in with a password or an ID token, or an answer to its next step.
    case signIn = "sign_in"
    /// A request for a one-time code.
    case codeRequest = "code_request"
    /// A guess at a one-time code.
    case codeCheck = "code_check"
    /// A request for a password reset, or its completion with a token.
    case reset
    /// A registration or its confirmation.
    case register
    /// A refresh.
    case refresh
    /// A step of a sign-in at an identity provider.
    case browser
    /// Any other operation.
    case other
}
