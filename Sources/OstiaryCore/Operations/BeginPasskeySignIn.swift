/// Begins a sign-in with a passkey: returns the same options for every caller. ``SignInWithPasskey`` completes it within
/// five minutes.
///
/// Throws ``AuthError/notFound`` for an app without passkeys.
public struct BeginPasskeySignIn: AuthOperation {
    /// Creates the operation.
    public init() {}
}

extension BeginPasskeySignIn {
    /// The result of the operation if it succeeds.
    public typealias Answer = PasskeyOptions

    /// The description of this operation, ``OperationKind/beginPasskeySignIn``.
    public static let description = OperationDescription(
        .beginPasskeySignIn,
        summary: "Begins a sign-in with a passkey",
        request: FieldSet([]),
        answer: FieldSet([.passkeyToken, .publicKey]),
        refusals: [404],
        attempts: .other,
        auditing: .never,
        endpoint: { $0.takesPasswords ? .post("/passkey/options") : nil },
        takes: { _ in [] },
        answers: { _ in .shape(.fields([.required(.passkeyToken), .required(.publicKey)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields { Fields() }

    /// Creates the operation from its fields.
    public init(_ fields: Fields) throws(AuthError) { self.init() }
}
