public import Foundation
public import OstiaryCore

/// Seals the content of notifications into messages for the outbox. The store keeps a message in one commit with the
/// change it is about.
public protocol NotificationSealer: Sendable {
    /// Seals a message that the store keeps until it is sent.
    ///
    /// - Throws: `AuthError.busy(retryAfterSeconds:)` if too many messages are waiting already.
    func seal(_ notice: NotificationContent, to recipient: Recipient, app: AppName) async throws -> QueuedMessage

    /// Opens a queued message for its description; returns `nil` for ``NotificationContent/nothing``.
    ///
    /// - Throws: For a message that was sealed with another key.
    func describe(_ message: QueuedMessage) throws -> MessageDescription?

    /// Starts the delivery of queued messages immediately instead of at the worker's next poll.
    func wake()
}

/// The content of a notification. The wording is composed when the message is delivered.
public enum NotificationContent: Hashable, Sendable {
    /// A one-time code, valid for so many seconds.
    case oneTimeCode(OneTimeCode, lifetimeSeconds: Int)
    /// A password reset token, valid for so many seconds.
    case passwordReset(token: Secret<String>, lifetimeSeconds: Int)
    /// The recovery of an account with nothing but passkeys. The password reset token, valid for so many seconds, is for an owner
    /// who has a recovery code.
    case accountRecovery(PasskeyRecovery, passwordReset: Secret<String>, lifetimeSeconds: Int)
    /// Invites the owner of a new account to set the first password with the token, a password reset token that is valid for so
    /// many seconds.
    case invitation(token: Secret<String>, lifetimeSeconds: Int)
    /// A link by which the account recognizes a device, valid for so many seconds.
    case deviceLink(token: Secret<String>, lifetimeSeconds: Int)
    /// Informs the previous address that an administrator changed the account's email address.
    case emailChanged
    /// Informs the owner that the password was changed, so an unauthorized change is noticed.
    case passwordChanged
    /// Informs the owner that the password is known from a breach of another service.
    case passwordCompromised
    /// Informs the owner of a sign-in that may not be theirs.
    case unusualSignIn(UnusualSignInNotice)
    /// Informs the owner of a change of the account's second factors or recovery codes.
    case factorsChanged(FactorChangeNotice)
    /// Informs the owner that a session was ended because one of its earlier refresh tokens was presented.
    case refreshTokenReused
    /// Lets the owner of the address finish a registration; valid for so many seconds.
    case registrationConfirmation(token: Secret<String>, lifetimeSeconds: Int)
    /// Informs the owner that an unauthenticated caller tried to register with their address.
    case registrationAttempted
    /// Informs the contact of an endpoint for events that it was disabled because it failed.
    case eventEndpointDisabled(host: String)
    /// Costs as much as a message and is discarded, so requests that name no account take as long as account holders'.
    case nothing
}

/// The address that a message is sent to.
public enum Recipient: Hashable, Sendable {
    /// An email address.
    case email(EmailAddress)
    /// A phone number, for a text message.
    case phoneNumber(PhoneNumber)
}

/// The content of a notification about an unusual sign-in.
public struct UnusualSignInNotice: Hashable, Sendable {
    /// The time of the sign-in.
    public var at: Date
    /// The network address that it came from; nil for recipients that are not verified.
    public var address: String?
    /// The country that it came from; nil where it is not known. Source: ISO 3166-1 alpha-2.
    public var country: String?
    /// The token of the link by which the owner denies it.
    public var denialToken: Secret<String>

    /// Creates a notice from its parts.
    public init(at: Date, address: String? = nil, country: String? = nil, denialToken: Secret<String>) {
        self.at = at
        self.address = address
        self.country = country
        self.denialToken = denialToken
    }

    /// The lifetime of the link, in seconds.
    public static let denialSeconds = 7 * 86_400
}

/// The content of a notification about a change of factors. The time of the change is that of the message.
public struct FactorChangeNotice: Hashable, Sendable {
    /// The change.
    public var change: FactorChange
    /// The kind of the factor that was added or removed; nil for other changes.
    public var kind: Factor.Kind?
    /// The network address that the change was made from; nil for a change by a command, and for recipients that are not
    /// verified.
    public var address: String?
    /// The token of the link that undoes the change; nil for a change without an undo.
    public var undoToken: Secret<String>?

    /// Creates a notice from its parts.
    public init(
        _ change: FactorChange, kind: Factor.Kind? = nil, address: String? = nil, undoToken: Secret<String>? = nil
    ) {
        self.change = change
        self.kind = kind
        self.address = address
        self.undoToken = undoToken
    }

    /// The lifetime of the link, in seconds.
    public static let undoSeconds = 7 * 86_400
}

/// A change of an account's second factors or recovery codes. Kept in the outbox and in records by raw value.
public enum FactorChange: String, CaseIterable, Hashable, Sendable {
    /// A second factor was added.
    case added
    /// A second factor was removed.
    case removed
    /// An administrator removed all second factors.
    case reset
    /// A recovery code was used.
    case recoveryCodeUsed = "recovery_code_used"
    /// The recovery codes were replaced.
    case recoveryCodesReplaced = "recovery_codes_replaced"
    /// A passkey was refused because its signature counter did not increase: it may have been copied.
    case passkeyRefused = "passkey_refused"
    /// The owner undid a change, which ended all sessions.
    case undone
}
