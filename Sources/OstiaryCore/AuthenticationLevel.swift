/// An authentication assurance level. Source: NIST SP 800-63B-4 §2.
public enum AuthenticationLevel: String, Hashable, Comparable, CaseIterable, Sendable {
    /// One factor.
    case aal1
    /// Two factors of different kinds, or a passkey with user verification.
    case aal2

    /// Orders the levels by their assurance.
    public static func < (one: AuthenticationLevel, other: AuthenticationLevel) -> Bool {
        one == .aal1 && other == .aal2
    }
}
