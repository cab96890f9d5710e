extension Field {
    /// The maximum length, in UTF-8 bytes, of a text in this field; nil for a field without a limit of its own. Codec,
    /// engine, OpenAPI and forms all use this one definition.
    ///
    /// Passwords have none here: a sign-in checks a password of any length, in time that reveals nothing, and
    /// ``PasswordRule/maximumBytes`` applies where one is chosen. Tokens have none because their issuer parses them.
    /// ``PhoneNumber`` and ``OneTimeCode`` have none because their syntax bounds them.
    public var maximumBytes: Int? {
        switch self {
        case .email: EmailAddress.maximumBytes
        case .username: Username.maximumBytes
        case .fullName: PersonName.maximumBytes
        case .deviceId, .platform, .osVersion, .appVersion: DeviceInfo.maximumBytes
        case .redirectUri: BeginBrowserSignIn.maximumRedirectURIBytes
        case .appChallenge: 128
        case .provider: 64
        case .keyId: RequestSigningKey.maximumIDBytes
        case .codeSession: 200
        case .attestation: AttestKey.maximumAttestationBytes
        case .name: FactorName.maximumBytes
        case .permission: Permission.maximumBytes
        case .scope: PermissionScope.maximumBytes
        default: nil
        }
    }

    /// The maximum length, in UTF-8 bytes, of a text in a field without a limit of its own.
    public static let usualMaximumBytes = 8192
}
