/// Deletes the account and all its data permanently.
///
/// Throws ``AuthError/wrongCredentials`` if the account has a password and the one given is wrong;
/// ``AuthError/stepUpRequired(_:)`` if the account has no password, or has a second factor, and the session was authenticated
/// longer ago than ``maximumAuthenticationAgeSeconds``.
public struct DeleteAccount: AuthOperation {
    /// The access token of the session.
    public var accessToken: Secret<String>
    /// The account's password, required again; nil if the account has none.
    public var password: Secret<String>?

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>, password: Secret<String>? = nil) {
        self.accessToken = accessToken
        self.password = password
    }

    /// The maximum age, in seconds, of the sign-in of a user whose account has no password.
    public static let maximumAuthenticationAgeSeconds = 300
}

extension DeleteAccount {
    /// The result of the operation if it succeeds.
    public typealias Answer = Done

    /// The description of this operation, ``OperationKind/deleteAccount``.
    public static let description = OperationDescription(
        .deleteAccount,
        summary: "Deletes the account permanently",
        authorization: .required,
        request: FieldSet([], also: [.password]),
        refusals: [403],
        unauthorized: .wrongCredentials,
        attempts: .other,
        endpoint: { _ in .post("/delete-account") },
        takes: { _ in [.optional(.password)] },
        answers: { _ in .shape(.nothing) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.password, password)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token; `AuthError.invalid` for a field that is
    ///   missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(accessToken: try fields.bearer(), password: try fields.secret(.password))
    }
}
