public import Foundation
public import OstiaryCore

/// Where one-time codes wait for their owners.
public protocol CodeStore: Sendable {
    /// Keeps a code of which no message goes out, and voids every earlier one for the same recipient in the app.
    func replace(with code: PendingCode) async throws

    /// Takes one of the tries of the live code for `recipient`, in a commit of its own, before anything is compared.
    ///
    /// - Parameter id: The request the code belongs to; nil where the caller does not say.
    /// - Returns: The code with the tries it has left; nil if none is live at `now` or no try is left.
    func takeTry(recipient: [UInt8], id: String?, in app: AppName, at now: Date) async throws -> PendingCode?

    /// The live code for `recipient`; nil if there is none at `now` or no try is left. Takes no try.
    func code(for recipient: [UInt8], in app: AppName, at now: Date) async throws -> PendingCode?

    /// Returns the try that a right guess took.
    func giveTryBack(_ id: String, in app: AppName) async throws
}

/// A one-time code that was sent or is fixed. Spent by ``AccountStore``, together with what it allows.
public struct PendingCode: Hashable, Sendable {
    public var id: String
    public var app: AppName
    /// A keyed hash of the phone number or address.
    public var recipient: [UInt8]
    /// A keyed hash of the code.
    public var codeHash: [UInt8]
    public var expiresAt: Date
    public var triesLeft: Int

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

/// A secret that a message brings. It voids every earlier one of its kind for the same recipient in the app.
public enum PendingSecret: Hashable, Sendable {
    case code(PendingCode)
    case resetToken(PendingReset)
}

/// Where password reset tokens wait for their owners. They come with their messages, by
/// ``OutboxStore/enqueue(_:within:keeping:at:)``.
public protocol ResetTokenStore: Sendable {
    /// Whose password a token may set; nil if it is unknown, spent, expired at `now`, or a stranger's.
    func account(forResetToken hash: [UInt8], in app: AppName, at now: Date) async throws -> AccountID?
}

/// A reset token that was sent. One without an account is kept for strangers, so that they cost what account holders cost.
public struct PendingReset: Hashable, Sendable {
    public var hash: [UInt8]
    public var app: AppName
    /// A keyed hash of the address.
    public var recipient: [UInt8]
    public var account: AccountID?
    public var expiresAt: Date

    public init(hash: [UInt8], app: AppName, recipient: [UInt8], account: AccountID?, expiresAt: Date) {
        self.hash = hash
        self.app = app
        self.recipient = recipient
        self.account = account
        self.expiresAt = expiresAt
    }
}
