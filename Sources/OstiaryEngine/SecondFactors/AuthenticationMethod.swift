import OstiaryCore

/// A method by which a person proves an account. Source: NIST SP 800-63B-4.
public enum AuthenticationMethod: String, Hashable, Codable, Sendable, CaseIterable {
    /// A password.
    case password
    /// A time-based one-time password. Source: RFC 6238.
    case totp
    /// A passkey whose authenticator did not verify the person.
    case passkey
    /// A passkey whose authenticator verified the person, by biometrics or a passcode.
    case verifiedPasskey = "verified_passkey"
    /// A code sent by text message.
    case smsCode = "sms_code"
    /// A code sent by email.
    case emailCode = "email_code"
    /// A code that replaces a lost factor once.
    case recoveryCode = "recovery_code"
    /// A sign-in at an identity provider, in the place of a password.
    case federated
    /// A device that showed a second factor before and was remembered, in the place of the factor.
    case rememberedDevice = "remembered_device"

    /// The kind of factor that a method proves.
    public enum Kind: Hashable, Sendable {
        /// Something that the person knows, or is.
        case knowledge
        /// Something that the person has.
        case possession
    }

    /// The kinds that count towards `aal2`.
    ///
    /// Codes by email prove no possession of a device, a recovery code replaces a factor that was lost, and a remembered
    /// device shows no factor: none of them counts.
    public var kinds: [Kind] {
        switch self {
        case .password, .federated: [.knowledge]
        case .totp, .passkey, .smsCode: [.possession]
        case .verifiedPasskey: [.knowledge, .possession]
        case .emailCode, .recoveryCode, .rememberedDevice: []
        }
    }
}

extension AuthenticationMethod {
    /// Creates the method that a right answer by a challenge's method proves; nil for an unknown one. A passkey always
    /// verifies the person.
    init?(answering method: ChallengeMethod) {
        if method == .passkey { self = .verifiedPasskey } else { self.init(rawValue: method.rawValue) }
    }
}
