/// Deletes the account and everything kept about it, for good.
///
/// Throws ``AuthError/wrongCredentials`` if the account has a password and the one given is wrong or missing.
public struct DeleteAccount: AuthOperation {
    public var accessToken: Secret<String>
    /// The account's password, asked for once more; nil where the account has none.
    public var password: Secret<String>?

    public init(accessToken: Secret<String>, password: Secret<String>? = nil) {
        self.accessToken = accessToken
        self.password = password
    }

    public static let kind = OperationKind.deleteAccount
    public func perform(by service: some AuthService) async throws(AuthError) -> Done {
        try await service.deleteAccount(self)
    }
}
