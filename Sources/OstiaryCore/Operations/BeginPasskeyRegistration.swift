/// Begins to add a passkey as a second factor: returns the options for the authenticator. ``RegisterPasskey`` completes it
/// within five minutes.
///
/// Throws ``AuthError/stepUpRequired(_:)`` unless the session was authenticated recently, ``AuthError/notFound`` for an app
/// without passkeys.
public struct BeginPasskeyRegistration: AuthOperation {
    /// The access token of the session that makes the request, or the token of ``Challenge/enrollFactor``.
    public var accessToken: Secret<String>

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>) {
        self.accessToken = accessToken
    }
}

extension BeginPasskeyRegistration {
    /// The result of the operation if it succeeds.
    public typealias Answer = PasskeyOptions

    /// The description of this operation, ``OperationKind/beginPasskeyRegistration``.
    public static let description = OperationDescription(
        .beginPasskeyRegistration,
        summary: "Begins to add a passkey as a second factor",
        authorization: .required,
        request: FieldSet([]),
        answer: FieldSet([.passkeyToken, .publicKey]),
        refusals: [403, 404, 409],
        attempts: .other,
        endpoint: { _ in .post("/factors/passkey/options") },
        takes: { _ in [] },
        answers: { _ in .shape(.fields([.required(.passkeyToken), .required(.publicKey)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields { .bearing(accessToken) }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token.
    public init(_ fields: Fields) throws(AuthError) { self.init(accessToken: try fields.bearer()) }
}
