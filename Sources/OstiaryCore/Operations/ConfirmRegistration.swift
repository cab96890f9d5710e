/// Completes a registration with the token that was sent to the address, and signs the user in.
///
/// The password chosen at registration is required again. It prevents two attacks: a caller who registered with an
/// address of another person learns nothing, and the address's owner who opens the link does not complete the other
/// caller's registration.
///
/// Throws ``AuthError/registrationTokenRefused``, ``AuthError/wrongCredentials`` for another password, and
/// ``AuthError/identifierTaken`` if another registration was completed first.
public struct ConfirmRegistration: AuthOperation {
    /// The token from the confirmation message.
    public var token: Secret<String>
    /// The password chosen at registration.
    public var password: Secret<String>

    /// Creates the operation from its parts.
    public init(token: Secret<String>, password: Secret<String>) {
        self.token = token
        self.password = password
    }
}

extension ConfirmRegistration {
    /// The result of the operation if it succeeds.
    public typealias Answer = SignedIn

    /// The description of this operation, ``OperationKind/confirmRegistration``.
    public static let description = OperationDescription(
        .confirmRegistration,
        summary: "Completes a registration with the token from the confirmation message",
        request: FieldSet([.registrationToken, .password]),
        answer: .signedIn,
        refusals: [401, 409],
        unauthorized: .wrongCredentials,
        attempts: .register,
        status: 201,
        endpoint: { $0.takesPasswords && !$0.registersWithCode ? .post("/confirm-registration") : nil },
        takes: { _ in [.required(.registrationToken), .required(.password)] },
        answers: { .same(as: .register, otherwise: .fields($0.tokenFields + [.optional(.user)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.registrationToken, token)
        fields.set(.password, password)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            token: try required(fields.secret(.registrationToken), .registrationToken),
            password: try required(fields.secret(.password), .password))
    }
}
