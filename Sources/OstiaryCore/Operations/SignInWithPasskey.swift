/// Signs in with a passkey in the place of a password and a second factor.
///
/// Throws ``AuthError/wrongCredentials`` for a passkey that no active account has and for a response that does not pass the
/// verification, ``AuthError/challengeRefused`` for a token that is expired or used.
public struct SignInWithPasskey: AuthOperation {
    /// The ``PasskeyOptions/token`` of the options.
    public var passkeyToken: Secret<String>
    /// The `AuthenticationResponseJSON` of the authenticator. Source: WebAuthn Level 3 §5.1.
    public var credential: String
    /// `true` to request the longer session lifetime, in contracts that have two.
    public var rememberMe: Bool
    /// The device, for the account's session list; nil if it is not described.
    public var device: DeviceInfo?

    /// Creates the operation from its parts.
    public init(passkeyToken: Secret<String>, credential: String, rememberMe: Bool = false, device: DeviceInfo? = nil) {
        self.passkeyToken = passkeyToken
        self.credential = credential
        self.rememberMe = rememberMe
        self.device = device
    }
}

extension SignInWithPasskey {
    /// The result of the operation if it succeeds.
    public typealias Answer = SignedIn

    /// The description of this operation, ``OperationKind/signInWithPasskey``.
    public static let description = OperationDescription(
        .signInWithPasskey,
        summary: "Signs in with a passkey",
        request: FieldSet([.passkeyToken, .credential], also: [.rememberMe, .deviceInfo]),
        answer: .signedIn,
        refusals: [401, 404],
        unauthorized: .wrongCredentials,
        attempts: .signIn,
        needsAppAssertion: true,
        endpoint: { $0.takesPasswords ? .post("/passkey") : nil },
        takes: { [.required(.passkeyToken), .required(.credential)] + $0.sessionOptions },
        answers: { .same(as: .signIn, otherwise: .fields($0.tokenFields + [.optional(.user)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.passkeyToken, passkeyToken)
        fields[.credential] = .json(credential)
        fields.setSessionOptions(rememberMe: rememberMe, device: device)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            passkeyToken: try required(fields.secret(.passkeyToken), .passkeyToken),
            credential: try required(fields.json(.credential), .credential),
            rememberMe: try fields.flag(.rememberMe) ?? false, device: try fields.device())
    }
}
