/// Exchanges a refresh token for a new access token and the session's next refresh token.
///
/// Throws ``AuthError/refreshTokenInvalid``, ``AuthError/refreshTokenReused``, ``AuthError/refreshTokenExpired``,
/// ``AuthError/refreshTokenRevoked`` or ``AuthError/accountDisabled``; after each of them the session has ended.
public struct Refresh: AuthOperation {
    /// The refresh token to exchange.
    public var refreshToken: Secret<String>

    /// Creates the operation from its parts.
    public init(refreshToken: Secret<String>) {
        self.refreshToken = refreshToken
    }
}

extension Refresh {
    /// The result of the operation if it succeeds.
    public typealias Answer = Tokens

    /// The description of this operation, ``OperationKind/refresh``.
    public static let description = OperationDescription(
        .refresh,
        summary: "Exchanges a refresh token for new tokens",
        request: FieldSet([.refreshToken]),
        answer: .tokens,
        refusals: [401],
        unauthorized: .refreshTokenInvalid,
        attempts: .refresh,
        auditing: .refusals,
        needsAppAssertion: true,
        endpoint: { $0.refresh != nil ? .post("/refresh") : nil },
        takes: { _ in [.required(.refreshToken)] },
        answers: { .shape(.fields($0.tokenFields)) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.refreshToken, refreshToken)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(refreshToken: try required(fields.secret(.refreshToken), .refreshToken))
    }
}
