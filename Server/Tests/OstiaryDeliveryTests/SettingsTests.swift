import Foundation
import OstiaryCore
import OstiaryDelivery
import Testing

@Suite struct SettingsTests {
    @Test(arguments: [
        "smtp://mail.example.com", "smtps://user:p%40ss@mail.example.com:465", "smtp://[::1]:2525",
        "SMTP://127.0.0.1:25/",
    ])
    func `takes a mail server's URL`(url: String) throws {
        _ = try SMTPServer(url: url)
    }

    @Test(arguments: [
        "", "mail.example.com", "http://mail.example.com", "smtp://", "smtp://user@mail.example.com",
        "smtp://user:canary@mail.example.com/?x=1", "smtp://a%0d%0aRCPT:b@mail.example.com", "smtp://host/%0d%0aX",
        "file:///etc/passwd", "smtp://mail.example.com\r\n",
    ])
    func `refuses any other, without repeating it`(url: String) throws {
        let error = #expect(throws: InvalidDeliverySetting.self) { try SMTPServer(url: url) }
        #expect(error?.description.contains("canary") == false)
    }

    @Test(arguments: [
        ("smtp://mail.example.com", true), ("smtp://127.0.0.1.example.com", true), ("smtp://127.evil.example", true),
        ("smtp://localhost.example.com", true), ("smtp://[::2]", true), ("smtp://10.0.0.1", true),
        ("smtp://127.0.0.1", false), ("smtp://localhost", false), ("smtp://[::1]", false),
    ])
    func `requires STARTTLS everywhere but on loopback`(url: String, requires: Bool) throws {
        #expect(try SMTPServer(url: url).requiresStartTLS == requires)
    }

    @Test(arguments: [
        ("smtp://mail.example.com", "smtp://mail.example.com:587"),
        ("smtps://user:canary@mail.example.com", "smtps://mail.example.com:465"),
        ("smtp://[::1]:2525/", "smtp://[::1]:2525"),
    ])
    func `knows the ports of mail servers`(url: String, origin: String) throws {
        #expect(try SMTPServer(url: url).origin == origin)
    }

    @Test func `prints no password of a mail server`() throws {
        let server = try SMTPServer(url: "smtps://user:canary@mail.example.com")
        var dumped = ""
        dump(server, to: &dumped)
        #expect(!dumped.contains("canary"))
        #expect(!"\(server)".contains("canary"))
    }

    @Test(arguments: ["http://sms.example.com/hook", "ftp://sms.example.com", "https://u:p@sms.example.com", "x", ""])
    func `refuses a webhook that is not https`(url: String) {
        let secret = Secret(String(repeating: "s", count: 32))
        #expect(throws: InvalidDeliverySetting.self) { try SMSWebhook(url: url, secret: secret) }
    }

    @Test func `refuses a webhook's secret of less than 32 bytes`() {
        let secret = Secret(String(repeating: "s", count: 31))
        #expect(throws: InvalidDeliverySetting.self) {
            try SMSWebhook(url: "https://sms.example.com/hook", secret: secret)
        }
    }

    @Test(arguments: ["", "AC1/../x", "AC 1", "AC1?"])
    func `refuses an account that would change Twilio's URL`(sid: String) {
        #expect(throws: InvalidDeliverySetting.self) {
            try TwilioAccount(accountSID: sid, authToken: Secret("t"), from: "+15550001111")
        }
    }

    @Test(arguments: [
        "ftp://example.com", "https://u@example.com", "https://example.com/?a=b", "https://example.com/#x",
    ])
    func `refuses a link base that is not a plain base`(base: String) throws {
        let url = try #require(URL(string: base))
        #expect(throws: InvalidDeliverySetting.self) { try AppPresentation(displayName: "Example", linkBase: url) }
    }

    @Test(arguments: ["", "a\u{202E}b", String(repeating: "a", count: 65)])
    func `refuses a display name that would not stand in a message`(name: String) {
        #expect(throws: InvalidDeliverySetting.self) { try AppPresentation.test(name) }
    }
}
