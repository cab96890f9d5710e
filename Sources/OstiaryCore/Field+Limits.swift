extension Field {
    /// The most UTF-8 bytes that a text in this field may have: the one definition for codec, engine, OpenAPI and forms.
    ///
    /// Passwords have none here: at sign-in one of any length is judged, in time that does not tell, and
    /// ``PasswordRule/maximumBytes`` holds where one is chosen. Nor have tokens, which their issuer reads, nor what has a form
    /// of few letters anyway: ``PhoneNumber``, ``OneTimeCode``.
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
        default: nil
        }
    }

    /// The most bytes of a text in a field without a limit of its own.
    public static let usualMaximumBytes = 8192
}
