import OstiaryCore
import Testing

@Suite struct PasswordRuleTests {
    @Test(
        arguments: [
            ("", InputVerdict.empty), ("1234567", .incomplete(.tooShort(minimum: 8))),
            // Four people and families: one Character each, seven code points and 25 bytes.
            ("👨‍👩‍👧‍👦", .incomplete(.tooShort(minimum: 8))), ("👩👩👩👩👩👩👩👩", .good),
            (String(repeating: "€", count: 24), .good),
            (String(repeating: "€", count: 24) + "a", .invalid(.tooLong(maximum: 72))),
            (String(repeating: "a", count: 72), .good),
            (String(repeating: "a", count: 73), .invalid(.tooLong(maximum: 72))),
            ("        ", .good), ("nul inside\0 here", .invalid(.malformed)),
            ("PassWord", .incomplete(.tooCommon)), ("12345678", .incomplete(.tooCommon)),
            ("abcdefghij", .incomplete(.tooCommon)), ("letmein123", .incomplete(.tooCommon)),
            ("ada.lovelace", .incomplete(.containsIdentifier)), ("Ada.Lovelace7", .incomplete(.containsIdentifier)),
            ("ada.lovelace and more", .good), ("no digit no sign", .good),
        ] as [(String, InputVerdict)])
    func `tells while somebody types what is wrong with a password`(text: String, verdict: InputVerdict) throws {
        let own = PasswordRule.ownNames(email: try EmailAddress("ada.lovelace@example.com"))
        #expect(PasswordRule().check(text, own: own).verdict == verdict)
    }

    @Test func `hands on the password as it was typed, spaces included`() {
        #expect(PasswordRule().check(" a b c d ", own: []).value?.reveal() == " a b c d ")
    }

    @Test func `asks for as many code points as it is told`() {
        #expect(
            PasswordRule(minimumLength: 12).check("elevenchars", own: []).verdict == .incomplete(.tooShort(minimum: 12))
        )
        #expect(PasswordRule(minimumLength: 12).check("twelve chars", own: []).verdict == .good)
    }

    @Test func `takes whatever password somebody has already`() {
        #expect(PasswordRule.checkExisting("1").verdict == .good)
        #expect(PasswordRule.checkExisting("").verdict == .empty)
    }
}
