/// Creates an account and signs its owner in.
///
/// Throws ``AuthError/identifierTaken``, ``AuthError/codeRefused`` if the contract requires a code,
/// ``AuthError/confirmationRequired`` if the server requires the address to be confirmed first, and
/// ``AuthError/invalid(_:_:)`` for an identifier or a password that is not acceptable.
public struct Register: AuthOperation {
    /// The email address of the account; required if users sign in with one.
    public var email: EmailAddress?
    /// The username of the account; required if users sign in with one.
    public var username: Username?
    /// The phone number of the account; required if users sign in with one.
    public var phoneNumber: PhoneNumber?
    /// The password of the account, in plain text.
    public var password: Secret<String>
    /// The user's display name; nil if not given.
    public var fullName: PersonName?
    /// The code sent to the phone number, if the contract requires one.
    public var code: OneTimeCode?
    /// `true` if the session gets the long refresh lifetime, in a contract that has two.
    public var rememberMe: Bool
    /// The description of the device, for the session list; nil if not given.
    public var device: DeviceInfo?

    /// Creates the operation from its parts.
    public init(
        email: EmailAddress? = nil, username: Username? = nil, phoneNumber: PhoneNumber? = nil,
        password:
            Secret<String>, fullName: PersonName? = nil, code: OneTimeCode? = nil, rememberMe: Bool = false,
        device:
            DeviceInfo? = nil
    ) {
        self.email = email
        self.username = username
        self.phoneNumber = phoneNumber
        self.password = password
        self.fullName = fullName
        self.code = code
        self.rememberMe = rememberMe
        self.device = device
    }
}

extension Register {
    /// The result of the operation if it succeeds.
    public typealias Answer = SignedIn

    /// The description of this operation, ``OperationKind/register``.
    public static let description = OperationDescription(
        .register,
        summary: "Creates an account and signs its owner in",
        request: FieldSet(
            [.password], also: [.email, .username, .phoneNumber, .fullName, .code, .rememberMe, .deviceInfo]),
        answer: .signedIn,
        refusals: [403, 409],
        unauthorized: .wrongCredentials,
        attempts: .register,
        status: 201,
        endpoint: { $0.takesPasswords ? .post("/register") : nil },
        takes: { rules in
            [.required(rules.identifierField)] + (rules.identifier == .username ? [.optional(.email)] : [])
                + [.required(.password)] + (rules.registersWithCode ? [.required(.code)] : [])
                + (rules.identifier == .phoneNumber ? [] : [.optional(.fullName)]) + rules.sessionOptions
        },
        answers: { .shape(.fields($0.tokenFields + [.optional(.user)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.email, email?.text)
        fields.set(.username, username?.text)
        fields.set(.phoneNumber, phoneNumber?.e164)
        fields.set(.password, password)
        fields.set(.fullName, fullName?.text)
        fields.set(.code, code?.reveal())
        // Clarity's API documents `rememberMe` for sign-in, but not for registration.
        fields.setSessionOptions(rememberMe: rememberMe ? true : nil, device: device)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            email: try fields.email(), username: try fields.username(), phoneNumber: try fields.phoneNumber(),
            password: try required(fields.secret(.password), .password), fullName: try fields.fullName(),
            code: try fields.code(), rememberMe: try fields.flag(.rememberMe) ?? false, device: try fields.device())
    }
}
