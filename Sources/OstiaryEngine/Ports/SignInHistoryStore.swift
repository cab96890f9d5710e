public import Foundation
public import OstiaryCore

/// Keeps the properties of accounts' sign-ins that later ones are compared with.
public protocol SignInHistoryStore: Sendable {
    /// Returns an account's history; without any part for an account that has none.
    func signInHistory(of account: AccountID, in app: AppName, at now: Date) async throws -> StoredSignInHistory

    /// Replaces an account's sealed history; does nothing if there is no such account. Of concurrent replacements the last one
    /// remains.
    ///
    /// - Parameter end: The time from which it is deleted.
    func setSignInHistory(
        _ sealed: [UInt8], of account: AccountID, in app: AppName, until end: Date
    ) async throws
}

/// The history of an account's sign-ins, as a store keeps it.
public struct StoredSignInHistory: Hashable, Sendable {
    /// The time of the last sign-in; `nil` for an account that was never signed in to.
    public var lastSignInAt: Date?
    /// The sealed properties of sign-ins; `nil` if none are kept.
    public var sealed: [UInt8]?

    /// The time for which the history and the details of assessments are kept after a sign-in, in seconds.
    public static let retentionSeconds = 90.0 * 86_400

    /// Creates a history from its parts.
    public init(lastSignInAt: Date? = nil, sealed: [UInt8]? = nil) {
        self.lastSignInAt = lastSignInAt
        self.sealed = sealed
    }
}
