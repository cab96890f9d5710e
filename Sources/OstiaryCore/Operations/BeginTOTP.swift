/// Begins to add an authenticator app as a second factor: returns its secret. ``ConfirmTOTP`` completes it within ten
/// minutes.
///
/// Throws ``AuthError/stepUpRequired(_:)`` unless the session was authenticated recently.
public struct BeginTOTP: AuthOperation {
    /// The access token of the session that makes the request, or the token of ``Challenge/enrollFactor``.
    public var accessToken: Secret<String>

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>) {
        self.accessToken = accessToken
    }
}

extension BeginTOTP {
    /// The result of the operation if it succeeds.
    public typealias Answer = PendingTOTP

    /// The description of this operation, ``OperationKind/beginTOTP``.
    public static let description = OperationDescription(
        .beginTOTP,
        summary: "Begins to add an authenticator app as a second factor",
        authorization: .required,
        request: FieldSet([]),
        answer: FieldSet([.factorId, .secret, .otpauthUri]),
        refusals: [403, 409],
        attempts: .other,
        endpoint: { _ in .post("/factors/totp") },
        takes: { _ in [] },
        answers: { _ in
            .shape(
                .fields([.required(.factorId), .required(.secret), .required(.otpauthUri)]))
        })

    /// The operation's parameters by canonical field name.
    public var fields: Fields { .bearing(accessToken) }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token.
    public init(_ fields: Fields) throws(AuthError) { self.init(accessToken: try fields.bearer()) }
}

/// The secret of an authenticator app that is not confirmed yet.
public struct PendingTOTP: Hashable, Sendable {
    /// The identifier that ``ConfirmTOTP`` must carry.
    public var factorID: FactorID
    /// The secret in base32, for a person to type. Source: RFC 4648 §6.
    public var secret: Secret<String>
    /// The `otpauth:` URI, for a QR code or a button. It contains the secret.
    public var uri: Secret<String>

    /// Creates the answer from its parts.
    public init(factorID: FactorID, secret: Secret<String>, uri: Secret<String>) {
        self.factorID = factorID
        self.secret = secret
        self.uri = uri
    }
}

extension PendingTOTP: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.factorId, factorID.text)
        fields.set(.secret, secret)
        fields.set(.otpauthUri, uri)
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            factorID: try required(
                fields.parsed(.factorId) { (text) throws(FieldProblem) in try FactorID(text) }, .factorId),
            secret: try required(fields.secret(.secret), .secret),
            uri: try required(fields.secret(.otpauthUri), .otpauthUri))
    }
}
