/// Finishes a registration with the token that was sent to the address, and signs the person in.
///
/// The password that the registration chose is asked for again: whoever registered with somebody else's address learns
/// nothing, and the owner who opens the link finishes nobody else's registration.
///
/// Throws ``AuthError/registrationTokenRefused``, ``AuthError/wrongCredentials`` for another password, and
/// ``AuthError/identifierTaken`` if somebody was faster.
public struct ConfirmRegistration: AuthOperation {
    public var token: Secret<String>
    public var password: Secret<String>

    public init(token: Secret<String>, password: Secret<String>) {
        self.token = token
        self.password = password
    }

    public static let kind = OperationKind.confirmRegistration
    public func perform(by service: some AuthService) async throws(AuthError) -> SignedIn {
        try await service.confirmRegistration(self)
    }
}
