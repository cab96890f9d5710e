public import Foundation
public import OstiaryCore

/// A store's reads of accounts for administration. Each list is in the order of an index, and reads as many rows as it
/// returns.
public protocol AccountDirectory: Sendable {
    /// Returns the account with that id and its details; nil if the app has none.
    func details(of id: AccountID, in app: AppName) async throws -> AccountDetails?

    /// Returns the next accounts of a list.
    ///
    /// - Parameters:
    ///   - source: The list.
    ///   - position: The position of the account before the first; nil for the beginning.
    ///   - limit: The maximum number of accounts, at least 1.
    func accounts(
        from source: AccountSource, in app: AppName, after position: AccountPosition?, limit: Int
    ) async throws -> [ListedAccount]

    /// Returns sessions of an account, those that have ended too, in the order in which they were opened.
    ///
    /// - Parameter position: The position of the session before the first; nil for the beginning.
    /// - Returns: At most `limit` sessions, each with its position.
    func sessionHistory(
        of account: AccountID, in app: AppName, after position: Int?, limit: Int
    ) async throws -> [(position: Int, session: Session)]
}

/// A list of accounts that an index has in order.
public enum AccountSource: Hashable, Sendable {
    /// All accounts, by their numbers.
    case all
    /// The accounts that have a role in every scope, by their numbers.
    case role(String)
    /// The accounts that have a second factor of a kind, by their ids.
    case factor(Factor.Kind)
    /// The disabled accounts, by the time of their creation.
    case disabled
    /// The accounts of an identity provider, or the `local` ones, that were created after a time, by the time of their
    /// creation.
    case provider(String, createdAfter: Date?)
    /// The accounts that were created after a time, by that time.
    case createdAfter(Date)
    /// The accounts with a text that begins with `prefix`, by that text.
    case text(Text, prefix: String)

    /// A text that accounts are searched by. Letters of ASCII are compared in lower case.
    public enum Text: String, CaseIterable, Hashable, Sendable {
        /// The account's id, as it is.
        case id
        /// The email address.
        case email
        /// The username.
        case username
        /// The phone number, as it is.
        case phoneNumber = "phone_number"
        /// The owner's name.
        case fullName = "full_name"
    }
}

/// The place of an account in a list.
public struct AccountPosition: Hashable, Sendable {
    /// The text or id that orders the list; empty where a number does.
    public var text: String
    /// The time that orders the list in milliseconds, otherwise 0.
    public var time: Int64
    /// The account's number in the store, which decides among equals.
    public var number: Int64

    /// Creates a position from its parts.
    public init(text: String = "", time: Int64 = 0, number: Int64) {
        self.text = text
        self.time = time
        self.number = number
    }
}

/// An account of a list, with its place there.
public struct ListedAccount: Hashable, Sendable {
    /// The account.
    public var details: AccountDetails
    /// The place of the account in the list.
    public var position: AccountPosition

    /// Creates an entry from its parts.
    public init(details: AccountDetails, position: AccountPosition) {
        self.details = details
        self.position = position
    }
}

extension AccountSource {
    /// Returns `true` if the account is in the list.
    public func contains(_ details: AccountDetails) -> Bool {
        let account = details.account
        switch self {
        case .all: return true
        case .role(let role):
            return account.assignments.contains { $0.scope == nil && $0.role.utf8.elementsEqual(role.utf8) }
        case .factor(let kind): return details.factorKinds.contains(kind)
        case .disabled: return !account.isActive
        case .provider(let provider, let time):
            return account.provider.utf8.elementsEqual(provider.utf8) && time.map { account.createdAt > $0 } ?? true
        case .createdAfter(let time): return account.createdAt > time
        case .text(let text, let prefix): return text.key(of: account)?.utf8.starts(with: prefix.utf8) ?? false
        }
    }

    /// Returns the place of an account in the list.
    ///
    /// - Parameter number: The account's number in the store.
    public func position(of account: Account, number: Int64) -> AccountPosition {
        switch self {
        case .all, .role: AccountPosition(number: number)
        case .factor: AccountPosition(text: account.id.text, number: number)
        case .disabled, .provider, .createdAfter:
            AccountPosition(time: account.createdAt.milliseconds, number: number)
        case .text(let text, _): AccountPosition(text: text.key(of: account) ?? "", number: number)
        }
    }
}

extension AccountSource.Text {
    /// Returns the text of an account as the index has it.
    public func key(of account: Account) -> String? {
        switch self {
        case .id: account.id.text
        case .email: account.email?.text.asciiLowercased
        case .username: account.username?.verbatim.asciiLowercased
        case .phoneNumber: account.phoneNumber?.e164
        case .fullName: account.fullName?.text.asciiLowercased
        }
    }
}

extension AccountPosition {
    /// Returns `true` if this place is before the other one in a list.
    public func precedes(_ other: AccountPosition) -> Bool {
        if !text.utf8.elementsEqual(other.text.utf8) { return text.utf8.lexicographicallyPrecedes(other.text.utf8) }
        return (time, number) < (other.time, other.number)
    }
}
