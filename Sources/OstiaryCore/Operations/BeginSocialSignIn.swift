/// Begins a sign-in with a social identity provider such as `google` or `github`.
///
/// Throws ``AuthError/notFound`` for a provider that the app does not offer, ``AuthError/notConfigured`` if it offers
/// none, and ``AuthError/invalid(_:_:)`` for a malformed challenge.
public struct BeginSocialSignIn: AuthOperation {
    /// The name of the provider.
    public var provider: String
    /// The S256 challenge of a verifier that only this device knows. Source: RFC 7636 §4.2.
    public var appChallenge: String?

    /// Creates the operation from its parts.
    public init(provider: String, appChallenge: String? = nil) {
        self.provider = provider
        self.appChallenge = appChallenge
    }
}

extension BeginSocialSignIn {
    /// The result of the operation if it succeeds.
    public typealias Answer = BrowserDestination

    /// The description of this operation, ``OperationKind/beginSocialSignIn``.
    public static let description = OperationDescription(
        .beginSocialSignIn,
        summary: "Returns the URL at which a social sign-in begins in the browser",
        request: FieldSet([.provider], also: [.appChallenge]),
        answer: FieldSet([.oauthUrl]),
        refusals: [404],
        attempts: .browser,
        auditing: .refusals,
        endpoint: { $0.takesPasswords ? .post("/social/{provider}") : nil },
        takes: { _ in [.optional(.appChallenge)] },
        answers: { _ in .shape(.fields([.required(.oauthUrl)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.provider, provider)
        fields.set(.appChallenge, appChallenge)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.notFound` without a provider; `AuthError.invalid` for a field that is missing or not
    ///   acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        guard let provider = try fields.text(.provider) else { throw .notFound }
        self.init(provider: provider, appChallenge: try fields.text(.appChallenge))
    }
}
