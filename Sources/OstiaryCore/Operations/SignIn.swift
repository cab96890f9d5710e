/// Opens a session with an identifier and a password.
///
/// Throws ``AuthError/wrongCredentials`` alike for an unknown account, a wrong password and a disabled account.
public struct SignIn: AuthOperation {
    /// The email address, phone number or username of the account.
    public var identifier: Identifier
    /// The password of the account, in plain text.
    public var password: Secret<String>
    /// `true` if the session gets the long refresh lifetime, in a contract that has two.
    public var rememberMe: Bool
    /// The description of the device, for the session list; nil if not given.
    public var device: DeviceInfo?

    /// Creates the operation from its parts.
    public init(identifier: Identifier, password: Secret<String>, rememberMe: Bool = false, device: DeviceInfo? = nil) {
        self.identifier = identifier
        self.password = password
        self.rememberMe = rememberMe
        self.device = device
    }
}

extension SignIn {
    /// The result of the operation if it succeeds.
    public typealias Answer = SignedIn

    /// The description of this operation, ``OperationKind/signIn``.
    public static let description = OperationDescription(
        .signIn,
        summary: "Signs in with an identifier and a password",
        request: FieldSet([.password], also: [.email, .username, .phoneNumber, .rememberMe, .deviceInfo]),
        answer: .signedIn,
        refusals: [401],
        unauthorized: .wrongCredentials,
        attempts: .signIn,
        needsAppAssertion: true,
        endpoint: { $0.takesPasswords ? .post("/login") : nil },
        takes: { [.required($0.identifierField), .required(.password)] + $0.sessionOptions },
        answers: { .shape(.fields($0.tokenFields + [.optional(.user)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(identifier)
        fields.set(.password, password)
        fields.setSessionOptions(rememberMe: rememberMe, device: device)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            identifier: try fields.identifier(), password: try required(fields.secret(.password), .password),
            rememberMe: try fields.flag(.rememberMe) ?? false, device: try fields.device())
    }
}
