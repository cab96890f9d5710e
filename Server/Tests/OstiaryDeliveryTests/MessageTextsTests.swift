import OstiaryDelivery
import Testing

@Suite struct MessageTextsTests {
    private static let languages = [("en", MessageTexts.english), ("de", MessageTexts.german)]
    private static let link = "https://auth.example.com/vici/reset-password?token=abc"
    private static let contents: [MessageContent] = [
        .oneTimeCode(code: "123456", lifetimeSeconds: 300),
        .passwordReset(token: "abc", link: link, lifetimeSeconds: 3600), .passwordChanged, .registrationAttempted,
    ]

    @Test(arguments: languages)
    func `keeps every SMS to one line of ASCII and one message`(language: String, texts: MessageTexts) {
        #expect(texts.language == language)
        for content in Self.contents {
            let text = texts.sms(content, "Example")
            #expect(text.utf8.allSatisfy { (0x20...0x7E).contains($0) })
            #expect(text.utf8.count <= 160)
        }
    }

    @Test(arguments: languages)
    func `names the app in every message`(language: String, texts: MessageTexts) {
        for content in Self.contents {
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

    @Test(arguments: [(30, "30 seconds"), (60, "1 minute"), (119, "1 minute"), (3600, "1 hour"), (5400, "90 minutes")])
    func `promises no more time than there is`(seconds: Int, words: String) {
        let text = MessageTexts.english.sms(.oneTimeCode(code: "1234", lifetimeSeconds: seconds), "Example")
        #expect(text.contains("It works for \(words)."))
    }
}
