/// Deletes the account and all its data permanently.
///
/// Throws ``AuthError/wrongCredentials`` if the account has a password and the one given is wrong,
/// ``AuthError/stepUpRequired`` if it has none and the session began longer ago than
/// ``maximumAuthenticationAgeSeconds``.
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

    /// The name of this operation, ``OperationKind/deleteAccount``.
    public static let kind = OperationKind.deleteAccount
    /// Calls ``AuthService/deleteAccount(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> Done {
        try await service.deleteAccount(self)
    }
}
