/// Opens a session with an ID token that the device obtained from the identity provider directly, for example by Sign
/// in with Apple. Source: OpenID Connect Core §3.1.3.7.
///
/// Throws ``AuthError/identityTokenInvalid`` for a token that is forged, expired, replayed, issued for another app or
/// with another nonce; ``AuthError/notFound`` for a provider that the app does not offer; ``AuthError/notConfigured``
/// if it offers none.
public struct SignInWithIdentityToken: AuthOperation {
    /// The name of the provider that issued the token.
    public var provider: String
    /// The ID token, a JWT.
    public var identityToken: Secret<String>
    /// The nonce that the app generated before the request to the provider. Apple's token carries its SHA-256 in lower-case
    /// hexadecimal digits; Google's may carry the nonce itself.
    public var nonce: Secret<String>
    /// The user's name, which some providers disclose to the device only. It is trusted for display only, when the
    /// account is created.
    public var fullName: PersonName?

    /// Creates the operation from its parts.
    public init(
        provider: String, identityToken: Secret<String>, nonce: Secret<String>, fullName: PersonName? = nil
    ) {
        self.provider = provider
        self.identityToken = identityToken
        self.nonce = nonce
        self.fullName = fullName
    }
}

extension SignInWithIdentityToken {
    /// The result of the operation if it succeeds.
    public typealias Answer = SignedIn

    /// The description of this operation, ``OperationKind/signInWithIdentityToken``.
    public static let description = OperationDescription(
        .signInWithIdentityToken,
        summary: "Signs in with an ID token that the device obtained from the identity provider",
        request: FieldSet([.provider, .identityToken, .nonce], also: [.fullName]),
        answer: .signedIn,
        refusals: [404],
        attempts: .signIn,
        needsAppAssertion: true,
        endpoint: { $0.takesPasswords ? .post("/social/{provider}/identity-token") : nil },
        takes: {
            [.required(.identityToken), .required(.nonce)]
                + ($0.identifier == .phoneNumber ? [] : [.optional(.fullName)])
        },
        answers: { .same(as: .signIn, otherwise: .fields($0.tokenFields + [.optional(.user)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.provider, provider)
        fields.set(.identityToken, identityToken)
        fields.set(.nonce, nonce)
        fields.set(.fullName, fullName?.text)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.notFound` without a provider; `AuthError.invalid` for a field that is missing or not
    ///   acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        guard let provider = try fields.text(.provider) else { throw .notFound }
        self.init(
            provider: provider, identityToken: try required(fields.secret(.identityToken), .identityToken),
            nonce: try required(fields.secret(.nonce), .nonce), fullName: try fields.fullName())
    }
}
