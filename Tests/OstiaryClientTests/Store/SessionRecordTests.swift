import Foundation
import OstiaryContracts
import OstiaryCore
import Testing

@testable import OstiaryClient

struct SessionRecordTests {
    static func record(refreshToken: String? = "refresh token") throws -> SessionRecord {
        SessionRecord(
            contract: "clarity", baseURL: try BaseURL("https://auth.example.com/clarity"),
            accountID: try AccountID("0b0c6a5e-7d0e-4a62-9a0e-1f6f4e0c8a11"), account: "Jo@example.com",
            accessToken: Secret("access/token"), refreshToken: refreshToken.map { Secret($0) },
            expiresAt: Date(timeIntervalSince1970: 1_800_003_600.9),
            savedAt: Date(timeIntervalSince1970: 1_800_000_000.9))
    }

    private var golden: [UInt8] {
        get throws {
            let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            return Array(try Data(contentsOf: folder.appendingPathComponent("Golden/session-record-1.json")))
        }
    }

    @Test func `writes version 1 to the byte`() throws {
        #expect(try Self.record().bytes == golden)
    }

    @Test func `reads version 1`() throws {
        #expect(try SessionRecord(bytes: golden) == Self.record())
    }

    @Test func `reads back what it writes where parts are missing`() throws {
        let record = SessionRecord(
            contract: "timetracker", baseURL: try BaseURL("http://example.com", allowsPlainHTTP: true), accountID: nil,
            account: "", accessToken: Secret("a\"\\\u{1}ä"), refreshToken: nil, expiresAt: nil, savedAt: .distantPast)
        #expect(try SessionRecord(bytes: record.bytes) == record)
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "{\"version\":1}", "{\"version\":0}", "{\"version\":\"1\"}", "\u{0}\u{0}\u{0}",
        "{\"version\":1,\"contract\":\"vici\",\"base_url\":\"ftp://x\",\"account\":\"a\",\"access_token\":\"t\",\"saved_at\":1}",
        "{\"version\":1,\"contract\":\"vici\",\"base_url\":\"https://x\",\"account\":\"a\",\"access_token\":7,\"saved_at\":1}",
    ])
    func `calls damaged what is no record`(_ text: String) {
        #expect(throws: SessionRecordProblem.damaged) { try SessionRecord(bytes: Array(text.utf8)) }
    }

    @Test func `calls damaged every record that was cut short`() throws {
        let whole = try golden
        // The last byte is the line's end.
        for length in 0..<(whole.count - 1) {
            #expect(throws: SessionRecordProblem.damaged) { try SessionRecord(bytes: Array(whole[..<length])) }
        }
    }

    @Test func `does not judge a record of a newer version`() {
        #expect(throws: SessionRecordProblem.newerVersion) { try SessionRecord(bytes: Array("{\"version\":2}".utf8)) }
    }

    @Test func `prints no token and no account`() throws {
        let record = try Self.record()
        var dumped = ""
        dump(record, to: &dumped)
        for text in ["\(record)", String(reflecting: record), "\([record])", "\(StoredSession.found(record))", dumped] {
            #expect(!text.contains("token") && !text.contains("Jo@"), "\(text)")
        }
    }

    @Test func `keeps the refresh token of a server that sends no new one`() throws {
        let tokens = Tokens(accessToken: Secret("new"), expiresIn: .seconds(60), refreshToken: nil)
        let now = Date(timeIntervalSince1970: 1_900_000_000)
        let renewed = try Self.record().renewed(with: tokens, at: now)
        #expect(renewed.refreshToken == Secret("refresh token") && renewed.accessToken == Secret("new"))
        #expect(renewed.expiresAt == now + 60 && renewed.savedAt == now)
    }
}
