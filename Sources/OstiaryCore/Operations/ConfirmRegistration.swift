/// Completes a registration with the token that was sent to the address, and signs the user in.
///
/// The password chosen at registration is required again. It prevents two attacks: a caller who registered with an
/// address of another person learns nothing, and the address's owner who opens the link does not complete the other
/// caller's registration. A registration with a passkey requires that passkey again, for the same reason: it answers the
/// options of ``BeginPasskeySignIn``.
///
/// Throws ``AuthError/registrationTokenRefused``, ``AuthError/wrongCredentials`` for another password or passkey, and
/// ``AuthError/identifierTaken`` if another registration was completed first.
public struct ConfirmRegistration: AuthOperation {
    /// The token from the confirmation message.
    public var token: Secret<String>
    /// The password chosen at registration; nil for a registration with a passkey.
    public var password: Secret<String>?
    /// The passkey created at registration; nil for a registration with a password.
    public var passkey: PasskeyResponse?

    /// Creates the operation for a registration with a password.
    public init(token: Secret<String>, password: Secret<String>) {
        self.init(token: token, password: password, passkey: nil)
    }

    /// Creates the operation for a registration with a passkey.
    public init(token: Secret<String>, passkey: PasskeyResponse) {
        self.init(token: token, password: nil, passkey: passkey)
    }

    private init(token: Secret<String>, password: Secret<String>?, passkey: PasskeyResponse?) {
        self.token = token
        self.password = password
        self.passkey = passkey
    }
}

extension ConfirmRegistration {
    /// The result of the operation if it succeeds.
    public typealias Answer = SignedIn

    /// The description of this operation, ``OperationKind/confirmRegistration``.
    public static let description = OperationDescription(
        .confirmRegistration,
        summary: "Completes a registration with the token from the confirmation message",
        request: FieldSet([.registrationToken, .password], also: [.passkeyToken, .credential]),
        answer: .signedIn,
        refusals: [401, 409],
        unauthorized: .wrongCredentials,
        attempts: .register,
        status: 201,
        needsAppAssertion: true,
        endpoint: { $0.takesPasswords && !$0.registersWithCode ? .post("/confirm-registration") : nil },
        takes: { _ in
            [.required(.registrationToken), .optional(.password), .optional(.passkeyToken), .optional(.credential)]
        },
        answers: { .same(as: .register, otherwise: .fields($0.tokenFields + [.optional(.user)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.registrationToken, token)
        fields.set(.password, password)
        fields.set(passkey)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            token: try required(fields.secret(.registrationToken), .registrationToken),
            password: try fields.secret(.password), passkey: try fields.passkey(orPassword: .password))
    }
}
