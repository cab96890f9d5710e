import Foundation
import OstiaryContracts
import OstiaryCore

typealias SessionRecordProblem = StoredFormProblem

extension SessionRecord {
    /// Counts changes that an older reader would misunderstand. Every version has a golden file in the tests.
    static let version = 1

    /// The record as a file holds it: JSON, times in seconds since 1970.
    var bytes: [UInt8] {
        let json: JSON = .object([
            JSON.Member(StoredName.version, .integer(Self.version)),
            JSON.Member(StoredName.contract, .string(contract)),
            JSON.Member(StoredName.baseURL, .string(baseURL.text)),
            JSON.Member(StoredName.accountID, accountID.map { .string($0.text) } ?? .null),
            JSON.Member(StoredName.account, .string(account)),
            JSON.Member(StoredName.accessToken, .string(accessToken.reveal())),
            JSON.Member(StoredName.refreshToken, refreshToken.map { .string($0.reveal()) } ?? .null),
            JSON.Member(StoredName.expiresAt, expiresAt.map { .integer(Int($0.timeIntervalSince1970)) } ?? .null),
            JSON.Member(StoredName.savedAt, .integer(Int(savedAt.timeIntervalSince1970))),
        ])
        return Array(json.prettyText.utf8) + [0x0A]
    }

    init(bytes: [UInt8]) throws(SessionRecordProblem) {
        guard let json = try? JSON.read(bytes), let version = json.storedVersion else { throw .damaged }
        guard version <= Self.version else { throw .newerVersion }
        guard let session = ClientSession(firstVersion: json) else { throw .damaged }
        self.init(
            contract: session.contract, baseURL: session.baseURL, accountID: session.accountID, account: session.label,
            accessToken: session.accessToken, refreshToken: session.refreshToken, expiresAt: session.expiresAt,
            savedAt: session.issuedAt)
    }
}
