/// Completes a registration with the token that was sent to the address, and signs the user in.
///
/// The password chosen at registration is required again. It prevents two attacks: a caller who registered with an
/// address of another person learns nothing, and the address's owner who opens the link does not complete the other
/// caller's registration.
///
/// Throws ``AuthError/registrationTokenRefused``, ``AuthError/wrongCredentials`` for another password, and
/// ``AuthError/identifierTaken`` if another registration was completed first.
public struct ConfirmRegistration: AuthOperation {
    /// The token from the confirmation message.
    public var token: Secret<String>
    /// The password chosen at registration.
    public var password: Secret<String>

    /// Creates the operation from its parts.
    public init(token: Secret<String>, password: Secret<String>) {
        self.token = token
        self.password = password
    }

    /// The name of this operation, ``OperationKind/confirmRegistration``.
    public static let kind = OperationKind.confirmRegistration
    /// Calls ``AuthService/confirmRegistration(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> SignedIn {
        try await service.confirmRegistration(self)
    }
}
