/// Revokes the session of the given tokens. For tokens that are unknown, expired or issued for another app it succeeds
/// without effect.
public struct SignOut: AuthOperation {
    /// The access token of the session; nil if only the refresh token is known.
    public var accessToken: Secret<String>?
    /// The refresh token of the session; nil if only the access token is known.
    public var refreshToken: Secret<String>?
    /// A further access token of the same account, whose session is revoked too; a token of another account is ignored.
    public var alsoEnding: Secret<String>?

    /// Creates the operation from its parts.
    public init(
        accessToken: Secret<String>? = nil, refreshToken: Secret<String>? = nil,
        alsoEnding: Secret<String>? =
            nil
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.alsoEnding = alsoEnding
    }
}

extension SignOut {
    /// The result of the operation if it succeeds.
    public typealias Answer = Done

    /// The description of this operation, ``OperationKind/signOut``.
    public static let description = OperationDescription(
        .signOut,
        summary: "Ends the session; succeeds with invalid tokens too",
        authorization: .optional,
        request: FieldSet([], also: [.refreshToken, .alsoEnding]),
        attempts: .other,
        auditing: .identified,
        endpoint: { _ in .post("/logout") },
        takes: { $0.refresh == nil ? [] : [.optional(.refreshToken)] },
        answers: { _ in .shape(.nothing) })

    /// The operation's parameters by canonical field name; `alsoEnding` repeats the access token if there is no further
    /// one.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.accessToken, accessToken)
        fields.set(.refreshToken, refreshToken)
        fields.set(.alsoEnding, alsoEnding ?? accessToken)
        return fields
    }

    /// Creates the operation from its fields; an `alsoEnding` that equals the access token becomes nil.
    ///
    /// - Throws: `AuthError.invalid` for a field that is not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        let accessToken = try fields.secret(.accessToken)
        let other = try fields.secret(.alsoEnding)
        self.init(
            accessToken: accessToken, refreshToken: try fields.secret(.refreshToken),
            alsoEnding: other.flatMap { Self.isSame($0, accessToken) ? nil : $0 })
    }
    private static func isSame(_ one: Secret<String>, _ other: Secret<String>?) -> Bool {
        other.map { one.reveal().utf8.elementsEqual($0.reveal().utf8) } ?? false
    }
}
