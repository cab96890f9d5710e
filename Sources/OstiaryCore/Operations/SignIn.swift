/// Opens a session with an identifier and a password.
///
/// Throws ``AuthError/wrongCredentials`` alike for an unknown account, a wrong password and a disabled account.
public struct SignIn: AuthOperation {
    /// The email address, phone number or username of the account.
    public var identifier: Identifier
    /// The password of the account, in plain text.
    public var password: Secret<String>
    /// `true` if the session gets the long refresh lifetime, in a contract that has two.
    public var rememberMe: Bool
    /// The description of the device, for the session list; nil if not given.
    public var device: DeviceInfo?

    /// Creates the operation from its parts.
    public init(identifier: Identifier, password: Secret<String>, rememberMe: Bool = false, device: DeviceInfo? = nil) {
        self.identifier = identifier
        self.password = password
        self.rememberMe = rememberMe
        self.device = device
    }

    /// The name of this operation, ``OperationKind/signIn``.
    public static let kind = OperationKind.signIn
    /// Calls ``AuthService/signIn(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> SignedIn {
        try await service.signIn(self)
    }
}
