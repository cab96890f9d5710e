/// Replaces the password of a signed-in user and revokes the account's other sessions. The current session continues
/// with the tokens of the answer: its earlier refresh tokens are rejected from then on.
///
/// An account with a passkey and no password sets its first one: without a current password, after a step-up.
///
/// Throws ``AuthError/wrongCredentials`` if the current password is wrong, and ``AuthError/invalid(_:_:)`` for a new
/// password that is not acceptable.
public struct ChangePassword: AuthOperation {
    /// The access token of the session.
    public var accessToken: Secret<String>
    /// The account's present password; nil for an account without one.
    public var currentPassword: Secret<String>?
    /// The password that replaces it.
    public var newPassword: Secret<String>

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>, currentPassword: Secret<String>?, newPassword: Secret<String>) {
        self.accessToken = accessToken
        self.currentPassword = currentPassword
        self.newPassword = newPassword
    }
}

extension ChangePassword {
    /// The result of the operation if it succeeds.
    public typealias Answer = PasswordChanged

    /// The description of this operation, ``OperationKind/changePassword``.
    public static let description = OperationDescription(
        .changePassword,
        summary: "Replaces the password, ends the account's other sessions and renews the tokens of this one",
        authorization: .required,
        request: FieldSet([.currentPassword, .newPassword]),
        answer: FieldSet([], also: [.accessToken, .refreshToken, .tokenType, .expiresIn]),
        unauthorized: .wrongCredentials,
        attempts: .other,
        endpoint: { $0.takesPasswords ? .post("/change-password") : nil },
        takes: { _ in [.optional(.currentPassword), .required(.newPassword)] },
        // The session continues as after a refresh.
        answers: { .same(as: .refresh, otherwise: .fields($0.tokenFields)) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.currentPassword, currentPassword)
        fields.set(.newPassword, newPassword)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token; `AuthError.invalid` for a field that is
    ///   missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            accessToken: try fields.bearer(),
            currentPassword: try fields.secret(.currentPassword),
            newPassword: try required(fields.secret(.newPassword), .newPassword))
    }
}

/// The result of a password change.
public struct PasswordChanged: Hashable, Sendable {
    /// The tokens with which the session continues; nil if the contract's answer has no field for them, in which case
    /// the session's present tokens stay valid.
    public var tokens: Tokens?

    /// Creates a result from its parts.
    public init(tokens: Tokens? = nil) { self.tokens = tokens }
}

extension PasswordChanged: OperationAnswer {
    /// The fields of the tokens; none if there are no tokens.
    public var fields: Fields { tokens?.fields ?? Fields() }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(tokens: fields[.accessToken] == nil ? nil : try Tokens(fields))
    }
}
