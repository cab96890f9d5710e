/// Adds a passkey as a second factor, with the response of its authenticator. Completes a sign-in that must add a factor, if
/// it carries the token of ``Challenge/enrollFactor`` in the place of an access token.
///
/// Throws ``AuthError/credentialRefused`` for a response that does not pass the verification,
/// ``AuthError/challengeRefused`` for a token that is expired or used.
public struct RegisterPasskey: AuthOperation {
    /// The access token of the session that makes the request, or the token of ``Challenge/enrollFactor``.
    public var accessToken: Secret<String>
    /// The ``PasskeyOptions/token`` of the options.
    public var passkeyToken: Secret<String>
    /// The `RegistrationResponseJSON` of the authenticator. Source: WebAuthn Level 3 §5.1.
    public var credential: String
    /// The name of the factor; nil for the server's default.
    public var name: FactorName?

    /// Creates the operation from its parts.
    public init(
        accessToken: Secret<String>, passkeyToken: Secret<String>, credential: String, name: FactorName? = nil
    ) {
        self.accessToken = accessToken
        self.passkeyToken = passkeyToken
        self.credential = credential
        self.name = name
    }
}

extension RegisterPasskey {
    /// The result of the operation if it succeeds.
    public typealias Answer = FactorConfirmation<AddedFactor>

    /// The description of this operation, ``OperationKind/registerPasskey``.
    public static let description = OperationDescription(
        .registerPasskey,
        summary: "Adds a passkey as a second factor",
        authorization: .required,
        request: FieldSet([.passkeyToken, .credential], also: [.name]),
        answer: FieldSet([.entryId, .type, .name, .createdAt], also: [.lastUsedAt, .recoveryCodes]),
        refusals: [403, 404, 409],
        attempts: .codeCheck,
        status: 201,
        completesSignIn: true,
        needsAppAssertion: true,
        endpoint: { _ in .post("/factors/passkey") },
        takes: { _ in [.required(.passkeyToken), .required(.credential), .optional(.name)] },
        answers: { _ in .shape(.fields(EnrolledFactor.specification + [.optional(.recoveryCodes)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.passkeyToken, passkeyToken)
        fields[.credential] = .json(credential)
        fields.set(.name, name?.text)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token; `AuthError.invalid` for a field that is
    ///   missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            accessToken: try fields.bearer(), passkeyToken: try required(fields.secret(.passkeyToken), .passkeyToken),
            credential: try required(fields.json(.credential), .credential), name: try fields.factorName())
    }
}

/// A second factor that was added, with the recovery codes that are shown once.
public struct AddedFactor: Hashable, Sendable {
    /// The factor.
    public var factor: EnrolledFactor
    /// The recovery codes; nil if the account has recovery codes already.
    public var recoveryCodes: [Secret<String>]?

    /// Creates the answer from its parts.
    public init(factor: EnrolledFactor, recoveryCodes: [Secret<String>]?) {
        self.factor = factor
        self.recoveryCodes = recoveryCodes
    }
}

extension AddedFactor: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = factor.fields
        fields[.recoveryCodes] = RecoveryCodes(codes: recoveryCodes).fields[.recoveryCodes]
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(factor: try EnrolledFactor(fields), recoveryCodes: try RecoveryCodes(fields).codes)
    }
}
