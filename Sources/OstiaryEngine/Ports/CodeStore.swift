public import Foundation
public import OstiaryCore

/// A store of pending one-time codes.
public protocol CodeStore: Sendable {
    /// Keeps a code that is not sent in a message, and voids every earlier one for the same recipient in the app.
    func replace(with code: PendingCode) async throws

    /// Takes one of the tries of the live code for `recipient`, in a commit of its own, before any comparison.
    ///
    /// - Parameter id: The request the code belongs to; `nil` where the caller does not say.
    /// - Returns: The code with the tries it has left; `nil` if none is live at `now` or no try is left.
    func takeTry(recipient: [UInt8], id: String?, in app: AppName, at now: Date) async throws -> PendingCode?

    /// Returns the live code for `recipient`; `nil` if there is none at `now` or no try is left. Takes no try.
    func code(for recipient: [UInt8], in app: AppName, at now: Date) async throws -> PendingCode?

    /// Gives back the try that a correct guess took.
    func giveTryBack(_ id: String, in app: AppName) async throws
}

/// A one-time code that was sent or is fixed. Redeemed by ``AccountStore``, in one transaction with the change it
/// allows.
public struct PendingCode: Hashable, Sendable {
    /// The id of the request that the code was made for.
    public var id: String
    /// The app that the code belongs to.
    public var app: AppName
    /// A keyed hash of the phone number or address.
    public var recipient: [UInt8]
    /// A keyed hash of the code.
    public var codeHash: [UInt8]
    /// The time from which the code is refused.
    public var expiresAt: Date
    /// The number of guesses left.
    public var triesLeft: Int

    /// Creates a code from its parts.
    public init(
        id: String, app: AppName, recipient: [UInt8], codeHash: [UInt8], expiresAt: Date, triesLeft: Int
    ) {
        self.id = id
        self.app = app
        self.recipient = recipient
        self.codeHash = codeHash
        self.expiresAt = expiresAt
        self.triesLeft = triesLeft
    }
}

/// A secret that a message carries. It voids every earlier one of its kind for the same recipient in the app.
public enum PendingSecret: Hashable, Sendable {
    /// A one-time code.
    case code(PendingCode)
    /// A password reset token.
    case resetToken(PendingReset)
}

/// A store of pending password reset tokens. They are added with their messages, by
/// ``OutboxStore/enqueue(_:within:keeping:at:)``.
public protocol ResetTokenStore: Sendable {
    /// Returns the account whose password a token may set; `nil` if the token is unknown, redeemed, expired at `now`,
    /// or belongs to no account.
    func account(forResetToken hash: [UInt8], in app: AppName, at now: Date) async throws -> AccountID?
}

/// A reset token that was sent. A token without an account is kept for requests that name no account, so they cost as
/// much as those of account holders.
public struct PendingReset: Hashable, Sendable {
    /// A keyed hash of the token.
    public var hash: [UInt8]
    /// The app that the token belongs to.
    public var app: AppName
    /// A keyed hash of the address.
    public var recipient: [UInt8]
    /// The account whose password the token may set; `nil` for a request that named no account.
    public var account: AccountID?
    /// The time from which the token is refused.
    public var expiresAt: Date

    /// Creates a reset token from its parts.
    public init(hash: [UInt8], app: AppName, recipient: [UInt8], account: AccountID?, expiresAt: Date) {
        self.hash = hash
        self.app = app
        self.recipient = recipient
        self.account = account
        self.expiresAt = expiresAt
    }
}
