/// Begins a sign-in with a social identity provider such as `google` or `github`.
///
/// Throws ``AuthError/notFound`` for a provider that the app does not offer, ``AuthError/notConfigured`` if it offers
/// none.
public struct BeginSocialSignIn: AuthOperation {
    /// The name of the provider.
    public var provider: String

    /// Creates the operation from its parts.
    public init(provider: String) {
        self.provider = provider
    }
}

extension BeginSocialSignIn {
    /// The result of the operation if it succeeds.
    public typealias Answer = BrowserDestination

    /// The description of this operation, ``OperationKind/beginSocialSignIn``.
    public static let description = OperationDescription(
        .beginSocialSignIn,
        summary: "Returns the URL at which a social sign-in begins in the browser",
        request: FieldSet([.provider]),
        answer: FieldSet([.oauthUrl]),
        refusals: [404],
        attempts: .browser,
        auditing: .refusals,
        endpoint: { $0.takesPasswords ? .post("/social/{provider}") : nil },
        takes: { _ in [] },
        answers: { _ in .shape(.fields([.required(.oauthUrl)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.provider, provider)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.notFound` without a provider; `AuthError.invalid` for a field that is missing or not
    ///   acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        guard let provider = try fields.text(.provider) else { throw .notFound }
        self.init(provider: provider)
    }
}
