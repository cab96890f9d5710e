/// The result of a verified authentication: the new values of the credential record. Source: WebAuthn Level 3 §7.2 step
/// 24.
package struct VerifiedAuthentication: Sendable, Hashable {
    /// The signature counter to store, by compare-and-set with the one that was verified against.
    package let signCount: UInt32
    /// The flag BS.
    package let isBackedUp: Bool
    /// The flag UV.
    package let isUserVerified: Bool
}
