/// Exchanges the authorization code and state that the browser returned for a session.
///
/// Throws ``AuthError/authorizationRefused`` for a code or state that is wrong, expired or already used.
public struct CompleteBrowserSignIn: AuthOperation {
    /// The `code` parameter of the redirect.
    public var authorizationCode: Secret<String>
    /// The `state` parameter of the redirect.
    public var state: Secret<String>
    /// The redirect URI of the ``BeginBrowserSignIn``, byte for byte.
    public var redirectURI: String
    /// The verifier of ``BeginBrowserSignIn/appChallenge``; nil if the sign-in began without a challenge. Source:
    /// RFC 7636 §4.1.
    public var appVerifier: Secret<String>?

    /// Creates the operation from its parts.
    public init(
        authorizationCode: Secret<String>, state: Secret<String>, redirectURI: String,
        appVerifier:
            Secret<String>? = nil
    ) {
        self.authorizationCode = authorizationCode
        self.state = state
        self.redirectURI = redirectURI
        self.appVerifier = appVerifier
    }
}

extension CompleteBrowserSignIn {
    /// The result of the operation if it succeeds.
    public typealias Answer = SignedIn

    /// The description of this operation, ``OperationKind/completeBrowserSignIn``.
    public static let description = OperationDescription(
        .completeBrowserSignIn,
        summary: "Exchanges the result of a browser sign-in for a session",
        request: FieldSet([.authorizationCode, .state, .redirectUri], also: [.appVerifier]),
        answer: .signedIn,
        refusals: [401],
        unauthorized: .authorizationRefused,
        attempts: .browser,
        needsAppAssertion: true,
        endpoint: { $0.takesPasswords ? nil : .post("/token") },
        takes: { _ in
            [.required(.authorizationCode), .required(.state), .required(.redirectUri), .optional(.appVerifier)]
        },
        answers: { .shape(.fields($0.tokenFields + [.optional(.user)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.authorizationCode, authorizationCode)
        fields.set(.state, state)
        fields.set(.redirectUri, redirectURI)
        fields.set(.appVerifier, appVerifier)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            authorizationCode: try required(fields.secret(.authorizationCode), .authorizationCode),
            state: try required(fields.secret(.state), .state),
            redirectURI: try required(fields.text(.redirectUri), .redirectUri),
            appVerifier: try fields.secret(.appVerifier))
    }
}
