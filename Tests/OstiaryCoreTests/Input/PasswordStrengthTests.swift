import OstiaryCore
import Testing

@Suite struct PasswordStrengthTests {
    private typealias Reason = PasswordStrength.Reason

    @Test(
        arguments: [
            ("", 0, [.short]), ("password", 0, [.commonWord]), ("P@ssw0rd", 0, [.commonWord]),
            ("dragon", 0, [.commonWord]), ("12345678", 0, [.commonWord]), ("abcdefgh", 0, [.run]),
            ("zyxwvuts", 0, [.run]), ("qwertzui", 0, [.keyboard]), ("aaaaaaaaaaaa", 0, [.repetition]),
            ("xkqzxkqzxkqzxkqz", 1, [.repetition]), ("ada", 0, [.ownName]),
        ] as [(String, Int, [PasswordStrength.Reason])])
    func `knows what is guessed first, and says why`(text: String, score: Int, reasons: [PasswordStrength.Reason]) {
        let strength = PasswordStrength(of: Secret(text), own: ["ada.lovelace@example.com"])
        #expect(strength.score == score)
        #expect(Set(strength.reasons).isSuperset(of: reasons))
    }

    @Test(arguments: [("xkcd9362", 3), ("vq7#mz", 2), ("vq7", 1), ("donau dampf schiff", 4), ("пароль-на-завтра", 4)])
    func `rates the rest by its length`(text: String, score: Int) {
        let strength = PasswordStrength(of: Secret(text))
        #expect(strength.score == score)
        #expect(strength.reasons == (score == 4 ? [] : [.short]))
    }

    @Test(arguments: ["ada", "lovelace", "Ada.Lovelace"]) func `a name with a year is weak`(name: String) throws {
        let own = PasswordRule.ownNames(email: try EmailAddress("ada.lovelace@example.com"))
        let strength = PasswordStrength(of: Secret(name + "1985"), own: own)
        #expect(strength.score <= 1)
        #expect(strength.reasons.contains(.ownName) && strength.reasons.contains(.year))
        let foreign = PasswordStrength(of: Secret(name + "1985"))
        #expect(foreign.score >= strength.score && !foreign.reasons.contains(.ownName))
    }

    @Test func `letters typed on never make a password weaker by much, and lengthen it to the strongest`() {
        var text = ""
        var last = 0
        for word in ["password", " with", " some", " unrelated", " vocabulary"] {
            text += word
            let score = PasswordStrength(of: Secret(text)).score
            #expect(score >= last)
            last = score
        }
        #expect(last == 4)
    }

    @Test func `the strongest needs no advice`() {
        #expect(PasswordStrength(of: Secret("correct horse battery staple")).reasons.isEmpty)
    }

    @Test func `reads no more than a server takes`() {
        let long = String(repeating: "ab1 ", count: 250_000)
        #expect(PasswordStrength(of: Secret(long)) == PasswordStrength(of: Secret(String(long.prefix(72)))))
    }

    @Test(arguments: ["👩👩👩", "e\u{301}e\u{301}e\u{301}e\u{301}", "\0\0\0\0", "İİİİ", "ﬃﬃﬃﬃ", "密码密码密码密码"])
    func `reads text of every kind`(text: String) {
        #expect((0...4).contains(PasswordStrength(of: Secret(text)).score))
    }
}
