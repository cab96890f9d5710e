/// Deletes the account and everything kept about it, for good.
///
/// Throws ``AuthError/wrongCredentials`` if the account has a password and the one given is wrong,
/// ``AuthError/stepUpRequired`` if it has none and the session began longer ago than
/// ``maximumAuthenticationAgeSeconds``.
public struct DeleteAccount: AuthOperation {
    public var accessToken: Secret<String>
    /// The account's password, asked for once more; nil where the account has none.
    public var password: Secret<String>?

    public init(accessToken: Secret<String>, password: Secret<String>? = nil) {
        self.accessToken = accessToken
        self.password = password
    }

    /// How long ago a person without a password may have signed in.
    public static let maximumAuthenticationAgeSeconds = 300

    public static let kind = OperationKind.deleteAccount
    public func perform(by service: some AuthService) async throws(AuthError) -> Done {
        try await service.deleteAccount(self)
    }
}
