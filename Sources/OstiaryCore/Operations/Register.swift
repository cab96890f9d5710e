/// Creates an account and signs its owner in.
///
/// Throws ``AuthError/identifierTaken``, ``AuthError/codeRefused`` if the contract requires a code,
/// ``AuthError/confirmationRequired`` if the server requires the address to be confirmed first, and
/// ``AuthError/invalid(_:_:)`` for an identifier or a password that is not acceptable.
public struct Register: AuthOperation {
    /// The email address of the account; required if users sign in with one.
    public var email: EmailAddress?
    /// The username of the account; required if users sign in with one.
    public var username: Username?
    /// The phone number of the account; required if users sign in with one.
    public var phoneNumber: PhoneNumber?
    /// The password of the account, in plain text.
    public var password: Secret<String>
    /// The user's display name; nil if not given.
    public var fullName: PersonName?
    /// The code sent to the phone number, if the contract requires one.
    public var code: OneTimeCode?
    /// `true` if the session gets the long refresh lifetime, in a contract that has two.
    public var rememberMe: Bool
    /// The description of the device, for the session list; nil if not given.
    public var device: DeviceInfo?

    /// Creates the operation from its parts.
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

    /// The name of this operation, ``OperationKind/register``.
    public static let kind = OperationKind.register
    /// Calls ``AuthService/register(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> SignedIn {
        try await service.register(self)
    }
}
