/// Replaces the password of a signed-in person and ends the account's other sessions.
///
/// Throws ``AuthError/wrongCredentials`` if the current password is wrong.
public struct ChangePassword: AuthOperation {
    public var accessToken: Secret<String>
    public var currentPassword: Secret<String>
    public var newPassword: Secret<String>

    public init(accessToken: Secret<String>, currentPassword: Secret<String>, newPassword: Secret<String>) {
        self.accessToken = accessToken
        self.currentPassword = currentPassword
        self.newPassword = newPassword
    }

    public static let kind = OperationKind.changePassword
    public func perform(by service: some AuthService) async throws(AuthError) -> Done {
        try await service.changePassword(self)
    }
}
