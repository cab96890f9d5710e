import Foundation
import OstiaryContracts

/// The reason for which bytes are not sessions that this version reads.
enum StoredFormProblem: Error, Hashable {
    case damaged
    case newerVersion
}

/// The names of the members of stored sessions. Every version has golden files in the tests.
enum StoredName {
    static let version = "version"
    static let sessions = "sessions"
    static let current = "current"
    static let pendingRevocations = "untold_sign_outs"
    static let deviceID = "device_id"
    static let session = "session"
    static let since = "since"
    static let id = "id"
    static let contract = "contract"
    static let baseURL = "base_url"
    static let accountID = "account_id"
    static let account = "account"
    static let user = "user"
    static let accessToken = "access_token"
    static let refreshToken = "refresh_token"
    static let issuedAt = "issued_at"
    static let expiresAt = "expires_at"
    static let savedAt = "saved_at"
    static let signingKey = "signing_key"
    static let enrolment = "enrolment"
    static let secret = "secret"
    static let email = "email"
    static let username = "username"
    static let phoneNumber = "phone_number"
    static let fullName = "full_name"
    static let roles = "roles"
    static let provider = "auth_provider"
    static let key = "key"
    static let keyID = "key_id"
    static let sealed = "sealed"
    static let check = "check"
    static let moving = "moving"
    static let items = "items"
    static let saved = "saved"
    static let expiresIn = "expires_in"
}

extension JSON {
    /// The version of the format, which increases with each change that an older reader would misunderstand. `nil` if
    /// it is missing or less than 1.
    var storedVersion: Int? {
        if case .integer(let version) = self[StoredName.version], version >= 1 { version } else { nil }
    }

    func storedText(_ name: String) -> String? {
        if case .string(let text) = self[name] { text } else { nil }
    }

    func storedTime(_ name: String) -> Date? {
        if case .integer(let seconds) = self[name] { Date(timeIntervalSince1970: TimeInterval(seconds)) } else { nil }
    }

    func storedElements(_ name: String) -> [JSON]? {
        if case .array(let elements) = self[name] { elements } else { nil }
    }

    static func stored(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

    /// Returns a time as seconds since 1970, or `null` for no time or one that does not fit an `Int`.
    static func stored(_ time: Date?) -> JSON {
        time.flatMap { Int(exactly: $0.timeIntervalSince1970.rounded(.down)) }.map { .integer($0) } ?? .null
    }
}
