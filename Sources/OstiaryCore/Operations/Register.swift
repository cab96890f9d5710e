/// Creates an account and signs its owner in. The account has a password, or a passkey in its place.
///
/// Throws ``AuthError/identifierTaken``, ``AuthError/codeRefused`` if the contract requires a code,
/// ``AuthError/confirmationRequired`` if the server requires the address to be confirmed first, and
/// ``AuthError/invalid(_:_:)`` for an identifier or a password that is not acceptable, and
/// ``AuthError/invalidAttribute(_:_:)`` for an attribute that is not, or that only administrators may set. With a passkey also
/// ``AuthError/credentialRefused`` for a response that does not pass the verification, and ``AuthError/challengeRefused`` for
/// a token that is expired, used, or of another identifier.
public struct Register: AuthOperation {
    /// The email address of the account; required if users sign in with one.
    public var email: EmailAddress?
    /// The username of the account; required if users sign in with one.
    public var username: Username?
    /// The phone number of the account; required if users sign in with one.
    public var phoneNumber: PhoneNumber?
    /// The password of the account, in plain text; nil for an account with a passkey.
    public var password: Secret<String>?
    /// The passkey of an account without a password, in response to the options of ``BeginPasskeyAccount``.
    public var passkey: PasskeyResponse?
    /// The user's display name; nil if not given.
    public var fullName: PersonName?
    /// The code sent to the phone number, if the contract requires one.
    public var code: OneTimeCode?
    /// `true` if the session gets the long refresh lifetime, in a contract that has two.
    public var rememberMe: Bool
    /// The description of the device, for the session list; nil if not given.
    public var device: DeviceInfo?
    /// Values of account attributes, by the names that the app declares.
    public var attributes: [String: AttributeValue] = [:]

    /// Creates the operation for an account with a password.
    public init(
        email: EmailAddress? = nil, username: Username? = nil, phoneNumber: PhoneNumber? = nil,
        password:
            Secret<String>, fullName: PersonName? = nil, code: OneTimeCode? = nil, rememberMe: Bool = false,
        device:
            DeviceInfo? = nil
    ) {
        self.init(
            email: email, username: username, phoneNumber: phoneNumber, password: password, passkey: nil,
            fullName: fullName, code: code, rememberMe: rememberMe, device: device)
    }

    /// Creates the operation for an account with a passkey and no password.
    public init(
        email: EmailAddress? = nil, username: Username? = nil, phoneNumber: PhoneNumber? = nil,
        passkey: PasskeyResponse, fullName: PersonName? = nil, code: OneTimeCode? = nil, rememberMe: Bool = false,
        device: DeviceInfo? = nil
    ) {
        self.init(
            email: email, username: username, phoneNumber: phoneNumber, password: nil, passkey: passkey,
            fullName: fullName, code: code, rememberMe: rememberMe, device: device)
    }

    private init(
        email: EmailAddress?, username: Username?, phoneNumber: PhoneNumber?, password: Secret<String>?,
        passkey: PasskeyResponse?, fullName: PersonName?, code: OneTimeCode?, rememberMe: Bool, device: DeviceInfo?
    ) {
        self.email = email
        self.username = username
        self.phoneNumber = phoneNumber
        self.password = password
        self.passkey = passkey
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
            [.password],
            also: [
                .email, .username, .phoneNumber, .passkeyToken, .credential, .fullName, .code, .rememberMe, .deviceInfo,
            ]),
        answer: .signedIn,
        refusals: [401, 403, 409],
        unauthorized: .wrongCredentials,
        attempts: .register,
        status: 201,
        takesAttributes: true,
        needsAppAssertion: true,
        endpoint: { $0.takesPasswords ? .post("/register") : nil },
        takes: { rules in
            [.required(rules.identifierField)] + (rules.identifier == .username ? [.optional(.email)] : [])
                + [.optional(.password), .optional(.passkeyToken), .optional(.credential)]
                + (rules.registersWithCode ? [.required(.code)] : [])
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
        fields.set(passkey)
        fields.set(.fullName, fullName?.text)
        fields.set(.code, code?.reveal())
        // Clarity's API documents `rememberMe` for sign-in, but not for registration.
        fields.setSessionOptions(rememberMe: rememberMe ? true : nil, device: device)
        fields.attributes = attributes
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            email: try fields.email(), username: try fields.username(), phoneNumber: try fields.phoneNumber(),
            password: try fields.secret(.password), passkey: try fields.passkey(orPassword: .password),
            fullName: try fields.fullName(), code: try fields.code(),
            rememberMe: try fields.flag(.rememberMe) ?? false, device: try fields.device())
        attributes = fields.attributes
    }
}
