#if canImport(Security)
import Foundation
import OstiaryContracts
import OstiaryCore

/// A session that exists in named items only, without an index item: left by an app without this SDK.
struct LegacySession: Hashable, Sendable {
    let session: ClientSession

    /// The error for an item that exists and contains no readable token.
    struct Unreadable: Error { let item: KeychainRules.Item }

    /// Reads the session from the values of the named items.
    ///
    /// - Returns: `nil` if there is no token.
    init?(_ values: [KeychainRules.Item: [UInt8]], of app: StoredApp) throws(Unreadable) {
        var access = try Self.text(.accessToken, in: values)
        var refresh = try Self.text(.refreshToken, in: values)
        var issuedAt: Date?
        var expiresAt: Date?
        if let bytes = values[.session] {
            guard let json = try? JSON.read(bytes), let token = json.storedText(StoredName.accessToken) else {
                throw Unreadable(item: .session)
            }
            access = token
            refresh = json.storedText(StoredName.refreshToken)
            issuedAt = json.storedTime(StoredName.issuedAt)
            if let issuedAt, case .integer(let seconds) = json[StoredName.expiresIn] {
                expiresAt = issuedAt + TimeInterval(seconds)
            }
        }
        guard access?.isEmpty == false || refresh?.isEmpty == false else { return nil }
        let token = access ?? ""
        // Without a known expiry, a token is used until it is refused; a missing access token is refreshed first.
        let stated = AccessTokenExpiry.stated(in: token)
        let epoch = Date(timeIntervalSince1970: 0)
        session = ClientSession(
            id: ClientSession.ID(foundBy: token.isEmpty ? refresh ?? "" : token), contract: app.contract,
            baseURL: app.baseURL, accountID: nil, label: try Self.label(in: values),
            accessToken: Secret(token), refreshToken: refresh.map { Secret($0) },
            issuedAt: issuedAt ?? stated?.issuedAt ?? epoch,
            expiresAt: token.isEmpty ? epoch : expiresAt ?? stated?.end)
    }

    private static func text(
        _ item: KeychainRules.Item, in values: [KeychainRules.Item: [UInt8]]
    ) throws(Unreadable) -> String? {
        guard let bytes = values[item] else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Unreadable(item: item) }
        return text
    }

    /// Returns the phone number in the user item: its text, or a member of an account in JSON.
    private static func label(in values: [KeychainRules.Item: [UInt8]]) throws(Unreadable) -> String {
        guard let text = try text(.user, in: values) else { return "" }
        guard let json = try? JSON.read(Array(text.utf8)), case .object = json else { return text }
        return json.storedText(StoredName.phoneNumber) ?? ""
    }
}

extension SavedSessions {
    init(_ found: LegacySession?) {
        self.init(sessions: found.map { [$0.session] } ?? [], current: found?.session.id)
    }

    /// Makes the legacy session the current one; without one, leaves no current session.
    mutating func take(_ found: LegacySession?) {
        current = nil
        if let found { use(found.session) }
    }
}

extension ClientSession {
    /// Adopts the tokens that the named items hold.
    mutating func take(_ found: LegacySession, in accounts: [KeychainRules.Item: String]) {
        if accounts[.session] != nil || accounts[.accessToken] != nil { accessToken = found.session.accessToken }
        if accounts[.session] != nil || accounts[.refreshToken] != nil { refreshToken = found.session.refreshToken }
    }
}
#endif
