/// A method by which a person proves an account. Source: NIST SP 800-63B-4.
enum AuthenticationMethod: String, Hashable, Codable, Sendable, CaseIterable {
    case password
    case totp
    /// A passkey whose authenticator did not verify the person.
    case passkey
    /// A passkey whose authenticator verified the person, by biometrics or a passcode.
    case verifiedPasskey = "verified_passkey"
    case smsCode = "sms_code"
    case emailCode = "email_code"
    case recoveryCode = "recovery_code"
    /// A sign-in at an identity provider, in the place of a password.
    case federated

    /// The kind of factor that a method proves.
    enum Kind: Hashable, Sendable { case knowledge, possession }

    /// The kinds that count towards `aal2`.
    ///
    /// Codes by email prove no possession of a device, and a recovery code replaces a factor that was lost: neither counts.
    var kinds: Set<Kind> {
        switch self {
        case .password, .federated: [.knowledge]
        case .totp, .passkey, .smsCode: [.possession]
        case .verifiedPasskey: [.knowledge, .possession]
        case .emailCode, .recoveryCode: []
        }
    }
}
