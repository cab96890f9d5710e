public import OstiaryCore

/// Makes messages for people out of what is to be said. The store keeps them, in one commit with what they are about.
public protocol Courier: Sendable {
    /// Seals a message that the store is to keep until it is sent.
    ///
    /// - Throws: ``AuthError/busy(retryAfterSeconds:)`` when too many wait already.
    func seal(_ notice: Notice, to recipient: Recipient, app: AppName) async throws -> QueuedMessage

    /// Has what the store has just kept sent now; it would be sent a little later anyway.
    func wake()
}

/// What is to be said. Its words are the courier's.
public enum Notice: Hashable, Sendable {
    case oneTimeCode(OneTimeCode, lifetimeSeconds: Int)
    case passwordReset(token: Secret<String>, lifetimeSeconds: Int)
    /// Tells the owner that the password was changed, in case it was not them.
    case passwordChanged
    /// Tells the owner that a session was ended because one of its earlier refresh tokens came back.
    case refreshTokenReused
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
