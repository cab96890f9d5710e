import Foundation
import OstiaryCore
import OstiaryDelivery
import OstiaryEngine
import Testing

@Suite struct MessageTextsTests {
    private static let languages = [("en", MessageTexts.english), ("de", MessageTexts.german)]
    private static let link = "https://auth.example.com/vici/reset-password?token=abc"
    private static let contents: [MessageContent] = [
        .oneTimeCode(code: "123456", lifetimeSeconds: 300),
        .passwordReset(token: "abc", link: link, lifetimeSeconds: 3600), .passwordChanged, .registrationAttempted,
        .invitation(token: "abc", link: link, lifetimeSeconds: 604_800), .emailChanged,
        .eventEndpointDisabled(host: "a.example"), .passwordCompromised,
        .unusualSignIn(
            UnusualSignInNotice(at: Date(timeIntervalSince1970: 1_800_000_059), denialToken: Secret("abc")), link: link),
        .accountRecovery(
            token: "abc", link: link, opensAt: Date(timeIntervalSince1970: 1_800_000_059),
            reset: MessageContent.Reset(token: "def", link: link, lifetimeSeconds: 3600)),
    ]
    private static let undoLink = "https://auth.example.com/vici/undo-factor-change?token=abc"

    private static func changed(
        _ change: FactorChange, _ kind: Factor.Kind? = nil, from address: String? = nil, link: String? = nil
    ) -> MessageContent {
        .factorsChanged(
            FactorChangeNotice(change, kind: kind, address: address),
            at: Date(timeIntervalSince1970: 1_800_000_059), link: link)
    }

    @Test(arguments: languages)
    func `keeps every SMS to one line of ASCII and one message`(language: String, texts: MessageTexts) {
        #expect(texts.language == language)
        for content in Self.contents + FactorChange.allCases.map({ Self.changed($0, .passkey) }) {
            let text = texts.sms(content, "Example")
            #expect(text.utf8.allSatisfy { (0x20...0x7E).contains($0) })
            #expect(text.utf8.count <= 160)
        }
    }

    @Test(arguments: languages)
    func `names the app in every message`(language: String, texts: MessageTexts) {
        for content in Self.contents + FactorChange.allCases.map({ Self.changed($0) }) {
            #expect(texts.sms(content, "Zyx").contains("Zyx"))
            #expect(texts.email(content, "Zyx").subject.contains("Zyx"))
            #expect(texts.email(content, "Zyx").body.contains("Zyx"))
        }
    }

    @Test(arguments: languages)
    func `puts code, link and token on lines of their own in an email`(language: String, texts: MessageTexts) {
        let code = texts.email(Self.contents[0], "Example").body.split(separator: "\n")
        #expect(code.contains("123456"))
        let reset = texts.email(Self.contents[1], "Example").body.split(separator: "\n")
        #expect(reset.contains("abc"))
        #expect(reset.contains { $0 == Self.link })
    }

    @Test(arguments: languages)
    func `says when and from where factors were changed, and how to undo it`(language: String, texts: MessageTexts) {
        let content = Self.changed(.added, .passkey, from: "2001:db8::1", link: Self.undoLink)
        let lines = texts.email(content, "Example").body.split(separator: "\n")
        #expect(lines[0].contains("Passkey") || lines[0].contains("passkey"))
        #expect(lines.contains { $0.hasSuffix(": 2027-01-15 08:00:59 UTC") })
        #expect(lines.contains { $0.hasSuffix(": 2001:db8::1") })
        #expect(lines.contains { $0 == Self.undoLink })
        #expect(lines.contains { $0.contains(language == "en" ? "7 days" : "7 Tage") })
        let sms = texts.sms(content, "Example")
        #expect(sms.hasSuffix(Self.undoLink) && sms.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        let plain = texts.email(Self.changed(.added), "Example").body
        #expect(!plain.contains("http") && !plain.contains("\n\n\n"))
    }

    @Test(arguments: [
        (30, "30 seconds"), (60, "1 minute"), (119, "1 minute"), (3600, "1 hour"), (5400, "90 minutes"),
        (86_400, "24 hours"), (604_800, "7 days"),
    ])
    func `promises no more time than there is`(seconds: Int, words: String) {
        let text = MessageTexts.english.sms(.oneTimeCode(code: "1234", lifetimeSeconds: seconds), "Example")
        #expect(text.contains("It works for \(words)."))
    }
}
