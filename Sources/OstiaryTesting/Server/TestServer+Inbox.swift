public import Foundation
public import OstiaryCore
import OstiaryEngine

/// Something that the server sent to a person.
public struct TestMessage: Hashable, Sendable {
    public let to: Recipient
    public let content: Content
    public let at: Date

    public enum Recipient: Hashable, Sendable {
        case email(EmailAddress)
        case phoneNumber(PhoneNumber)
    }

    public enum Content: Hashable, Sendable {
        case code(OneTimeCode)
        case passwordReset(Secret<String>)
        case confirmRegistration(Secret<String>)
        /// Somebody registered with the address of somebody who has an account.
        case registrationAttempted
        case passwordChanged
        /// A session was ended because an earlier refresh token of it came back.
        case refreshTokenReused
    }

    init(to recipient: Recipient, _ content: Content, at: Date) {
        self.to = recipient
        self.content = content
        self.at = at
    }
}

extension TestServer {
    /// Everything that was sent, oldest first.
    public var messages: [TestMessage] { backend.store.queuedMessages.compactMap { backend.courier.message($0) } }

    /// The digits of the last code that was sent to a phone number; nil if none was.
    public func code(for phoneNumber: String) -> String? {
        guard let number = try? PhoneNumber(phoneNumber) else { return nil }
        return last(to: .phoneNumber(number)) { if case .code(let code) = $0 { code.reveal() } else { nil } }
    }

    /// The token of the last password reset that was sent to an address; nil if none was.
    public func resetToken(for email: String) -> String? {
        guard let address = try? EmailAddress(email) else { return nil }
        return last(to: .email(address)) { if case .passwordReset(let token) = $0 { token.reveal() } else { nil } }
    }

    /// The token of the last registration that an address was asked to confirm; nil if none was.
    public func registrationToken(for email: String) -> String? {
        guard let address = try? EmailAddress(email) else { return nil }
        return last(to: .email(address)) {
            if case .confirmRegistration(let token) = $0 { token.reveal() } else { nil }
        }
    }

    private func last<Found>(to recipient: TestMessage.Recipient, _ find: (TestMessage.Content) -> Found?) -> Found? {
        for message in messages.reversed() where message.to == recipient {
            if let found = find(message.content) { return found }
        }
        return nil
    }
}
