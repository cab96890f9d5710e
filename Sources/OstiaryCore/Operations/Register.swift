/// Makes an account and signs its owner in.
///
/// Throws ``AuthError/identifierTaken``, ``AuthError/codeRefused`` where the contract asks for a code, and
/// ``AuthError/invalid(_:_:)`` for an identifier or a password that is not acceptable.
public struct Register: AuthOperation {
    public var email: EmailAddress?
    public var username: Username?
    public var phoneNumber: PhoneNumber?
    public var password: Secret<String>
    public var fullName: PersonName?
    /// The code sent to the phone number, where the contract asks for one.
    public var code: OneTimeCode?
    /// Whether the session lives for the long refresh lifetime where the contract has two.
    public var rememberMe: Bool
    public var device: DeviceInfo?

    public init(
        email: EmailAddress? = nil, username: Username? = nil, phoneNumber: PhoneNumber? = nil,
        password:
            Secret<String>, fullName: PersonName? = nil, code: OneTimeCode? = nil, rememberMe: Bool = false,
        device:
            DeviceInfo? = nil
    ) {
        self.email = email
        self.username = username
        self.phoneNumber = phoneNumber
        self.password = password
        self.fullName = fullName
        self.code = code
        self.rememberMe = rememberMe
        self.device = device
    }

    public static let kind = OperationKind.register
    public func perform(by service: some AuthService) async throws(AuthError) -> SignedIn {
        try await service.register(self)
    }
}
