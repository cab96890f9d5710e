/// Adds an authenticator app as a second factor, with a code that it generated. Completes a sign-in that must add a factor,
/// if it carries the token of ``Challenge/enrollFactor`` in the place of an access token.
///
/// Throws ``AuthError/codeRefused`` for a wrong code, ``AuthError/notFound`` for a factor that is not pending.
public struct ConfirmTOTP: AuthOperation {
    /// The access token of the session that makes the request, or the token of ``Challenge/enrollFactor``.
    public var accessToken: Secret<String>
    /// The ``PendingTOTP/factorID`` of the factor.
    public var factorID: FactorID
    /// The code that the authenticator app shows.
    public var code: OneTimeCode
    /// The name of the factor; nil for the server's default.
    public var name: FactorName?

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>, factorID: FactorID, code: OneTimeCode, name: FactorName? = nil) {
        self.accessToken = accessToken
        self.factorID = factorID
        self.code = code
        self.name = name
    }
}

extension ConfirmTOTP {
    /// The result of the operation if it succeeds.
    public typealias Answer = FactorConfirmation<RecoveryCodes>

    /// The description of this operation, ``OperationKind/confirmTOTP``.
    public static let description = OperationDescription(
        .confirmTOTP,
        summary: "Adds an authenticator app as a second factor",
        authorization: .required,
        request: FieldSet([.factorId, .code], also: [.name]),
        answer: FieldSet([.recoveryCodes]),
        refusals: [403, 404, 409],
        attempts: .codeCheck,
        completesSignIn: true,
        needsAppAssertion: true,
        endpoint: { _ in .post("/factors/totp/confirm") },
        takes: { _ in [.required(.factorId), .required(.code), .optional(.name)] },
        answers: { _ in .shape(.fields([.optional(.recoveryCodes)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.factorId, factorID.text)
        fields.set(.code, code.reveal())
        fields.set(.name, name?.text)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token; `AuthError.invalid` for a field that is
    ///   missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            accessToken: try fields.bearer(), factorID: try fields.factorID(), code: try required(fields.code(), .code),
            name: try fields.factorName())
    }
}

/// The recovery codes of an account, which are shown once.
public struct RecoveryCodes: Hashable, Sendable {
    /// The codes; nil if the account has recovery codes already.
    public var codes: [Secret<String>]?

    /// Creates the answer from its parts.
    public init(codes: [Secret<String>]?) { self.codes = codes }
}

extension RecoveryCodes: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields[.recoveryCodes] = codes.map { .texts($0.map { $0.reveal() }) }
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(codes: try fields.texts(.recoveryCodes)?.map { Secret($0) })
    }
}
