/// Signs a person in with a password.
///
/// Throws ``AuthError/wrongCredentials`` for an unknown account, a wrong password and a disabled account alike.
public struct SignIn: AuthOperation {
    public var identifier: Identifier
    public var password: Secret<String>
    /// Whether the session lives for the long refresh lifetime where the contract has two.
    public var rememberMe: Bool
    public var device: DeviceInfo?

    public init(identifier: Identifier, password: Secret<String>, rememberMe: Bool = false, device: DeviceInfo? = nil) {
        self.identifier = identifier
        self.password = password
        self.rememberMe = rememberMe
        self.device = device
    }

    public static let kind = OperationKind.signIn
    public func perform(by service: some AuthService) async throws(AuthError) -> SignedIn {
        try await service.signIn(self)
    }
}
