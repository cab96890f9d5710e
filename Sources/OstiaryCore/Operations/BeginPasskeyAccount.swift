/// Begins the registration of an account with a passkey and no password. ``Register`` completes it within five minutes.
///
/// The answer does not depend on whether an account has the identifier.
///
/// Throws ``AuthError/notFound`` for an app without passkeys, ``AuthError/invalid(_:_:)`` for an identifier that is not
/// acceptable.
public struct BeginPasskeyAccount: AuthOperation {
    /// The identifier of the account, which the authenticator shows beside the passkey.
    public var identifier: Identifier

    /// Creates the operation from its parts.
    public init(identifier: Identifier) { self.identifier = identifier }
}

extension BeginPasskeyAccount {
    /// The result of the operation if it succeeds.
    public typealias Answer = PasskeyOptions

    /// The description of this operation, ``OperationKind/beginPasskeyAccount``.
    public static let description = OperationDescription(
        .beginPasskeyAccount,
        summary: "Begins the registration of an account with a passkey",
        request: FieldSet([], also: [.email, .username, .phoneNumber]),
        answer: FieldSet([.passkeyToken, .publicKey]),
        refusals: [404],
        attempts: .other,
        auditing: .never,
        endpoint: { $0.takesPasswords ? .post("/register/passkey/options") : nil },
        takes: { [.required($0.identifierField)] },
        answers: { _ in .shape(.fields([.required(.passkeyToken), .required(.publicKey)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(identifier)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for an identifier that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) { self.init(identifier: try fields.identifier()) }
}
