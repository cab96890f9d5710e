public import OstiaryCore

/// Takes messages for people. Returns when a message is queued for good, long before it is sent.
public protocol Courier: Sendable {
    func send(_ notice: Notice, to recipient: Recipient, app: AppName) async throws
}

/// What is to be said. Its words are the courier's.
public enum Notice: Hashable, Sendable {
    case oneTimeCode(OneTimeCode, lifetimeSeconds: Int)
    case passwordReset(token: Secret<String>, lifetimeSeconds: Int)
    /// Tells the owner that the password was changed, in case it was not them.
    case passwordChanged
    /// Lets the owner of the address finish a registration.
    case confirmRegistration(token: Secret<String>, lifetimeSeconds: Int)
    /// Tells the owner that somebody tried to register with their address.
    case registrationAttempted
    /// Costs what a message costs and is thrown away, so that strangers' requests take as long as account holders'.
    case nothing
}

public enum Recipient: Hashable, Sendable {
    case email(EmailAddress)
    case phoneNumber(PhoneNumber)
}
