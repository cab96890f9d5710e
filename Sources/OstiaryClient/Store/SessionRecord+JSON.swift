import Foundation
import OstiaryContracts
import OstiaryCore

/// Why bytes are not a record that this version reads.
enum SessionRecordProblem: Error, Hashable {
    case damaged
    case newerVersion
}

extension SessionRecord {
    /// Counts changes that an older reader would misunderstand. Every version has a golden file in the tests.
    static let version = 1

    private enum Key {
        static let version = "version"
        static let contract = "contract"
        static let baseURL = "base_url"
        static let accountID = "account_id"
        static let account = "account"
        static let accessToken = "access_token"
        static let refreshToken = "refresh_token"
        static let expiresAt = "expires_at"
        static let savedAt = "saved_at"
    }

    /// The record as a file holds it: JSON, times in seconds since 1970.
    var bytes: [UInt8] {
        let json: JSON = .object([
            JSON.Member(Key.version, .integer(Self.version)),
            JSON.Member(Key.contract, .string(contract)),
            JSON.Member(Key.baseURL, .string(baseURL.text)),
            JSON.Member(Key.accountID, accountID.map { .string($0.text) } ?? .null),
            JSON.Member(Key.account, .string(account)),
            JSON.Member(Key.accessToken, .string(accessToken.reveal())),
            JSON.Member(Key.refreshToken, refreshToken.map { .string($0.reveal()) } ?? .null),
            JSON.Member(Key.expiresAt, expiresAt.map { .integer(Int($0.timeIntervalSince1970)) } ?? .null),
            JSON.Member(Key.savedAt, .integer(Int(savedAt.timeIntervalSince1970))),
        ])
        return Array(json.prettyText.utf8) + [0x0A]
    }

    init(bytes: [UInt8]) throws(SessionRecordProblem) {
        guard let json = try? JSON.read(bytes), case .integer(let version) = json[Key.version], version >= 1 else {
            throw .damaged
        }
        guard version <= Self.version else { throw .newerVersion }
        guard let contract = json.text(Key.contract), let account = json.text(Key.account),
            // Whether plain HTTP was allowed there was decided when the record was made.
            let baseURL = json.text(Key.baseURL).flatMap({ try? BaseURL($0, allowsPlainHTTP: true) }),
            let accessToken = json.text(Key.accessToken), let savedAt = json.time(Key.savedAt)
        else { throw .damaged }
        self.init(
            contract: contract, baseURL: baseURL, accountID: json.text(Key.accountID).flatMap { try? AccountID($0) },
            account: account, accessToken: Secret(accessToken),
            refreshToken: json.text(Key.refreshToken).map { Secret($0) }, expiresAt: json.time(Key.expiresAt),
            savedAt: savedAt)
    }
}

extension JSON {
    fileprivate func text(_ name: String) -> String? {
        if case .string(let text) = self[name] { text } else { nil }
    }

    fileprivate func time(_ name: String) -> Date? {
        if case .integer(let seconds) = self[name] { Date(timeIntervalSince1970: TimeInterval(seconds)) } else { nil }
    }
}
