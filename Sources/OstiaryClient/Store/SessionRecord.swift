public import Foundation
public import OstiaryCore

/// What is kept of a session: one record an account.
public struct SessionRecord: Hashable, Sendable {
    /// The name of the contract its server speaks.
    public var contract: String
    public var baseURL: BaseURL
    public var accountID: AccountID?
    /// What the person signed in as, for people.
    public var account: String
    public var accessToken: Secret<String>
    public var refreshToken: Secret<String>?
    /// When the access token stops working, by this machine's clock; nil where nobody knows.
    public let expiresAt: Date?
    public let savedAt: Date

    /// Times are cut to whole seconds, as they are stored.
    public init(
        contract: String, baseURL: BaseURL, accountID: AccountID?, account: String, accessToken: Secret<String>,
        refreshToken: Secret<String>?, expiresAt: Date?, savedAt: Date
    ) {
        self.contract = contract
        self.baseURL = baseURL
        self.accountID = accountID
        self.account = account
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt?.wholeSeconds
        self.savedAt = savedAt.wholeSeconds
    }

    /// The same session with the tokens of a refresh. A server that sends no new refresh token means the old one to stay.
    func renewed(with tokens: Tokens, at now: Date) -> SessionRecord {
        SessionRecord(
            contract: contract, baseURL: baseURL, accountID: accountID, account: account,
            accessToken: tokens.accessToken, refreshToken: tokens.refreshToken ?? refreshToken,
            expiresAt: AccessTokenExpiry(tokens, receivedAt: now)?.date, savedAt: now)
    }
}

extension SessionRecord: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    // The account's name is for the person, not for a log.
    public var description: String { "<\(contract) session at \(baseURL)>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
