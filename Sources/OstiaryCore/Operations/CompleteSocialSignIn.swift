/// Exchanges the authorization code that the browser returned from a social identity provider for a session.
///
/// Throws ``AuthError/authorizationRefused`` or ``AuthError/identityTokenInvalid``.
public struct CompleteSocialSignIn: AuthOperation {
    /// The `code` parameter of the redirect.
    public var authorizationCode: Secret<String>
    /// The `state` parameter of the redirect; nil if the contract has no field for it.
    public var state: Secret<String>?
    /// The verifier of ``BeginSocialSignIn/appChallenge``; nil if the sign-in began without a challenge. Source:
    /// RFC 7636 §4.1.
    public var appVerifier: Secret<String>?

    /// Creates the operation from its parts.
    public init(
        authorizationCode: Secret<String>, state: Secret<String>? = nil, appVerifier: Secret<String>? = nil
    ) {
        self.authorizationCode = authorizationCode
        self.state = state
        self.appVerifier = appVerifier
    }
}

extension CompleteSocialSignIn {
    /// The result of the operation if it succeeds.
    public typealias Answer = SignedIn

    /// The description of this operation, ``OperationKind/completeSocialSignIn``.
    public static let description = OperationDescription(
        .completeSocialSignIn,
        summary: "Exchanges the result of a social sign-in for a session",
        request: FieldSet([.authorizationCode], also: [.state, .appVerifier]),
        answer: .signedIn,
        refusals: [401],
        unauthorized: .authorizationRefused,
        attempts: .browser,
        needsAppAssertion: true,
        endpoint: { $0.takesPasswords ? .post("/social-callback") : nil },
        takes: { _ in [.required(.authorizationCode), .optional(.state), .optional(.appVerifier)] },
        answers: { .same(as: .signIn, otherwise: .fields($0.tokenFields + [.optional(.user)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.authorizationCode, authorizationCode)
        fields.set(.state, state)
        fields.set(.appVerifier, appVerifier)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            authorizationCode: try required(fields.secret(.authorizationCode), .authorizationCode),
            state: try fields.secret(.state),
            appVerifier: try fields.secret(.appVerifier))
    }
}
