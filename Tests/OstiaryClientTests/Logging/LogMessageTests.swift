import Foundation
import OstiaryContracts
import OstiaryCore
import Testing

@testable import OstiaryClient

/// What a message has no interpolation for ends up here, because the library's are always the better match. Without this
/// extension the same line does not compile.
extension LogMessage.StringInterpolation {
    fileprivate mutating func appendInterpolation<Value>(_ value: Value) { appendLiteral("<no interpolation>") }
}

struct LogMessageTests {
    @Test func `has no interpolation for texts, secrets, bytes, dates, errors and whole values`() throws {
        let text = "canary"
        let session = ClientSession(
            id: .init(rawValue: "s"), contract: "clarity", baseURL: try BaseURL("https://a.example"), accountID: nil,
            label: "jo", accessToken: Secret("canary"), refreshToken: nil, issuedAt: .now, expiresAt: nil)
        let messages: [LogMessage] = [
            "\(text)", "\(text.prefix(3))", "\(Character("c"))", "\([text])", "\(Secret(text))",
            "\(Array(text.utf8))", "\(Data(text.utf8))", "\(Date.now)", "\(ClientError.offline)",
            "\(AuthError.rejected(status: 400, message: text))", "\(StoreProblem.busy as any Error)", "\(session)",
            "\(IssuedToken(session))", "\(try OneTimeCode("123456"))", "\(URL(fileURLWithPath: "/canary"))",
            "\(JSON.string(text))", "\(text as Any)", "\(text as any Sendable)", "\(FreeText(rawValue: text))",
            "\(SavedSessions(sessions: [session]))",
        ]
        #expect(messages.map(\.text) == messages.map { _ in "<no interpolation>" })
    }

    private struct FreeText: RawRepresentable { var rawValue: String }

    @Test func `shows numbers, times and names from closed lists`() {
        let message: LogMessage =
            "\(-7) \(UInt8(200)) \(1.5) \(true) \(Duration.milliseconds(1500)) \(ClientLog.Category.appLock) \(public: "x")"
        #expect(message.text == "-7 200 1.5 true 1500 ms appLock x")
    }

    @Test func `shows failures by their codes`() {
        let message: LogMessage =
            "\(code: AuthError.refreshTokenReused) \(code: TransportError.timedOut) \(code: ClientError.offline) \(code: StoreProblem.system(path: "/home/jo", code: 13)) \(FailureCode.http(503))"
        #expect(message.text == "refresh_token_reused timed_out offline store_refused http_503")
    }

    @Test func `masks phone numbers to four digits, emails and names to a letter`() throws {
        let phone = try PhoneNumber("+15551234567")
        let email = try EmailAddress("jo@example.com")
        let name = try Username("jo@example.com")
        let message: LogMessage =
            "\(phone) \(email) \(name) \(Identifier.phoneNumber(phone)) \(Identifier.email(email)) \(Identifier.username(name))"
        #expect(message.text == "***4567 j***@example.com j*** ***4567 j***@example.com j***")
    }

    @Test func `shows the beginnings of ids`() throws {
        let id = "0b0c6a5e-7d0e-4a62-9a0e-1f6f4e0c8a11"
        let message: LogMessage =
            "\(try AccountID(id)) \(try SessionID(id)) \(ClientSession.ID(rawValue: id)) \(try AccountID("17"))"
        #expect(message.text == "0b0c6a5e… 0b0c6a5e… 0b0c6a5e… 17")
    }

    @Test func `shows of a request its method and path, of an answer status and length`() {
        let request = WireRequest(
            method: "GET", path: "/a?token=canary", query: "code=canary", headers: ["authorization": "canary"],
            body: Array("canary".utf8))
        let response = WireResponse(status: 200, headers: ["x": "canary"], body: Array("canary".utf8))
        let message: LogMessage = "\(request) → \(response)"
        #expect(message.text == "GET /a → 200, 6 bytes")
    }

    @Test func `shows no more than the beginning of a long path`() {
        let message: LogMessage = "\(WireRequest(method: "GET", path: "/" + String(repeating: "a", count: 5000)))"
        #expect(message.text.utf8.count < 250)
    }

    @Test(arguments: ["\r\n", "\u{1B}[31m", "\u{2028}", "\u{0}", "\u{85}", "\u{202E}", "\u{7F}", "\r"])
    func `stays on one line, with nothing hidden`(_ text: String) throws {
        let message: LogMessage =
            "\(WireRequest(method: "GET", path: "/a\(text)b")) \(ClientSession.ID(rawValue: text))"
        #expect(message.text.unicodeScalars.allSatisfy { $0.isPrintable }, "\(message.text)")
        #expect(message.text.contains("\\u{"))
    }

    @Test func `is not put together below the level`() {
        let lines = Reference<[ClientLog.Line]>()
        let log = ClientLog(from: .notice) { lines.value = (lines.value ?? []) + [$0] }
        func unwanted() -> Int {
            Issue.record("put together in vain")
            return 0
        }
        log.trace(.session, "\(unwanted())")
        log.debug(.session, "\(unwanted())")
        log.info(.session, "\(unwanted())")
        log.notice(.network, "n")
        log.warning(.store, "w")
        log.error(.appLock, "e")
        ClientLog.silent.error(.appLock, "\(unwanted())")
        #expect(lines.value?.map(\.text) == ["n", "w", "e"])
        #expect(lines.value?.map(\.level) == [.notice, .warning, .error])
        #expect(lines.value?.map(\.category) == [.network, .store, .appLock])
    }
}
