/// The requirement for a passkey to verify its owner's presence by biometrics or passcode. Source: W3C WebAuthn Level 2
/// §5.8.6.
public enum UserVerification: String, Hashable, Sendable, CaseIterable {
    /// User verification is required, preferred if the authenticator supports it, or discouraged.
    case required, preferred, discouraged
}
