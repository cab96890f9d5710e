public import Foundation
public import OstiaryCore

/// The invitation of a new account's owner: a queued message and the reset token that it carries.
public struct QueuedInvitation: Hashable, Sendable {
    /// The message.
    public var message: QueuedMessage
    /// A keyed hash of the token.
    public var hash: [UInt8]
    /// A keyed hash of the address.
    public var recipient: [UInt8]
    /// The time from which the token is refused.
    public var expiresAt: Date

    /// Creates an invitation from its parts.
    public init(message: QueuedMessage, hash: [UInt8], recipient: [UInt8], expiresAt: Date) {
        self.message = message
        self.hash = hash
        self.recipient = recipient
        self.expiresAt = expiresAt
    }

    /// Returns the reset token that the message carries, for the account that was created.
    public func resetToken(of account: AccountID, in app: AppName) -> PendingReset {
        PendingReset(hash: hash, app: app, recipient: recipient, account: account, expiresAt: expiresAt)
    }
}
