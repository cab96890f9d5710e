public import Foundation
public import OstiaryCore
import OstiaryEngine

/// A message that the server sent to a person.
public struct TestMessage: Hashable, Sendable {
    /// The address or number that the message was sent to.
    public let to: Recipient
    /// The secret or the event that the message carries.
    public let content: Content
    /// The time at which the server queued the message.
    public let at: Date

    /// The destination of a message.
    public enum Recipient: Hashable, Sendable {
        /// An email address.
        case email(EmailAddress)
        /// A phone number, for a text message.
        case phoneNumber(PhoneNumber)
    }

    /// The content of a message.
    public enum Content: Hashable, Sendable {
        /// A one-time code.
        case code(OneTimeCode)
        /// The token of a password reset.
        case passwordReset(Secret<String>)
        /// The token that adds a passkey to an account with nothing but passkeys, and that of a password reset.
        case accountRecovery(Secret<String>, passwordReset: Secret<String>)
        /// The token that confirms a registration.
        case registrationConfirmation(Secret<String>)
        /// A registration was attempted with the address of an existing account.
        case registrationAttempted
        /// The token by which the owner of an account that an administrator created sets the first password.
        case invitation(Secret<String>)
        /// The token by which the account recognizes a device.
        case deviceLink(Secret<String>)
        /// An administrator changed the account's email address; sent to the previous one.
        case emailChanged
        /// The account's password was changed.
        case passwordChanged
        /// The account's password is known from a breach of another service.
        case passwordCompromised
        /// The account was signed in to from a device or a place that it was not used from before. The token denies the sign-in.
        case unusualSignIn(Secret<String>)
        /// Informs the owner of a change of the second factors: `added`, `removed`, `reset`, `recovery_code_used`,
        /// `recovery_codes_replaced`, `passkey_refused` or `undone`.
        case factorsChanged(String)
        /// A session was revoked because an earlier refresh token of it was presented.
        case refreshTokenReused
    }

    init(to recipient: Recipient, _ content: Content, at: Date) {
        self.to = recipient
        self.content = content
        self.at = at
    }
}

extension TestServer {
    /// Every message that was sent, oldest first.
    public var messages: [TestMessage] {
        backend.store.queuedMessages.compactMap { backend.notificationSealer.message($0) }
    }

    /// Returns the digits of the last code that was sent to a phone number; `nil` if none was.
    public func code(for phoneNumber: String) -> String? {
        guard let number = try? PhoneNumber(phoneNumber) else { return nil }
        return last(to: .phoneNumber(number)) { if case .code(let code) = $0 { code.reveal() } else { nil } }
    }

    /// Returns the token of the last password reset that was sent to an address; `nil` if none was.
    public func resetToken(for email: String) -> String? {
        guard let address = try? EmailAddress(email) else { return nil }
        return last(to: .email(address)) {
            switch $0 {
            case .passwordReset(let token), .accountRecovery(_, let token), .invitation(let token): token.reveal()
            default: nil
            }
        }
    }

    /// Returns the token of the last recovery that was sent to the address of an account with nothing but passkeys; `nil` if
    /// none was.
    public func recoveryToken(for email: String) -> String? {
        guard let address = try? EmailAddress(email) else { return nil }
        return last(to: .email(address)) {
            if case .accountRecovery(let token, _) = $0 { token.reveal() } else { nil }
        }
    }

    /// Returns the token of the last registration that an address was asked to confirm; `nil` if none was.
    public func registrationToken(for email: String) -> String? {
        guard let address = try? EmailAddress(email) else { return nil }
        return last(to: .email(address)) {
            if case .registrationConfirmation(let token) = $0 { token.reveal() } else { nil }
        }
    }

    /// Returns the token of the last device link that was sent to an address; `nil` if none was.
    public func deviceLinkToken(for email: String) -> String? {
        guard let address = try? EmailAddress(email) else { return nil }
        return last(to: .email(address)) { if case .deviceLink(let token) = $0 { token.reveal() } else { nil } }
    }

    private func last<Found>(to recipient: TestMessage.Recipient, _ find: (TestMessage.Content) -> Found?) -> Found? {
        for message in messages.reversed() where message.to == recipient {
            if let found = find(message.content) { return found }
        }
        return nil
    }
}
