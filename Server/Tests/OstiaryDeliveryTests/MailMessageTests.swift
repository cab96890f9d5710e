import Foundation
import OstiaryCore
import OstiaryDelivery
import Testing

@Suite struct MailMessageTests {
    private func mail(id: String = "1", subject: String = "Hi", language: String = "en") throws -> MailMessage {
        MailMessage(
            id: id, from: try Mailbox("no-reply@example.com"), to: try EmailAddress("ada@example.org"),
            subject: subject, text: Secret("Hello.\n"), language: language, date: Date(timeIntervalSince1970: 0))
    }

    @Test(arguments: ["\r\n", "\n", "\r", "\0", "\u{2028}", "\u{85}"])
    func `refuses to begin a header of somebody else's`(lineEnd: String) throws {
        let injection = "x\(lineEnd)Bcc: eve@example.net"
        for mail in try [mail(id: injection), mail(subject: injection), mail(language: injection)] {
            #expect(throws: MailMessage.UnsafeHeader.self) { try mail.bytes() }
        }
        #expect(throws: InvalidDeliverySetting.self) { try Mailbox("\(injection) <no-reply@example.com>") }
        #expect(throws: InvalidDeliverySetting.self) { try Mailbox("Example <no-reply@example.com\(injection)>") }
        #expect(throws: InvalidDeliverySetting.self) { try AppPresentation.test(injection) }
        #expect(throws: (any Error).self) { try EmailAddress("ada@example.org\(injection)") }
    }

    @Test func `encodes a subject that looks like an encoded word`() throws {
        let text = String(decoding: try mail(subject: "=?utf-8?B?SGk=?=").bytes(), as: UTF8.self)
        #expect(text.contains("Subject: =?utf-8?B?PT91dGYtOD9CP1NHaz0/PQ==?=\r\n"))
    }

    @Test func `ends every line with CRLF`() throws {
        let bytes = try mail().bytes()
        for (index, byte) in bytes.enumerated() where byte == 0x0A { #expect(bytes[index - 1] == 0x0D) }
        #expect(bytes.suffix(2) == [0x0D, 0x0A])
    }

    @Test(arguments: [
        ("no-reply@example.com", nil), ("Example <no-reply@example.com>", "Example"),
        ("\"Example, Inc.\" <no-reply@example.com>", "Example, Inc."), ("<no-reply@example.com>", nil),
    ])
    func `reads a sender`(text: String, name: String?) throws {
        let mailbox = try Mailbox(text)
        #expect(mailbox.displayName == name)
        #expect(mailbox.address.text == "no-reply@example.com")
    }

    @Test(arguments: [
        "", "Example", "a@example.com, b@example.com", "Example <a@example.com", "A <a@example.com> <b@example.com>",
        "a@exämple.com", "A\\ <a@example.com>", "a@localhost",
    ])
    func `refuses what is not one sender`(text: String) {
        #expect(throws: InvalidDeliverySetting.self) { try Mailbox(text) }
    }
}
