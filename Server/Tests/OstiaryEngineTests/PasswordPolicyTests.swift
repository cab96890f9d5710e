import OstiaryCore
@testable import OstiaryEngine
import Testing

@Suite struct PasswordPolicyTests {
    @Test(
        arguments: [
            ("", FieldProblem.tooShort(minimum: 8)), ("1234567", .tooShort(minimum: 8)),
            // Seven people and families, each many bytes and one or more code points.
            ("👩👩👩👩👩👩👩", .tooShort(minimum: 8)), ("xkcd9362", nil), ("👩👩👩👩👩👩👩👩", nil),
            (String(repeating: "€", count: 24), nil), (String(repeating: "€", count: 24) + "a", .tooLong(maximum: 72)),
            (String(repeating: "a", count: 72), nil), (String(repeating: "a", count: 73), .tooLong(maximum: 72)),
            ("        ", nil), ("пароль-на-завтра", nil), ("密码密码密码密码", nil), ("nul inside\0 here", .malformed),
            ("password", .tooCommon), ("PassWord", .tooCommon), ("12345678", .tooCommon),
            ("ostiary12", .containsIdentifier),
            ("abcdefghij", .tooCommon), ("9876543210", .tooCommon), ("abcdefgk", nil),
        ] as [(String, FieldProblem?)])
    func `says what is wrong with a password`(text: String, problem: FieldProblem?) {
        #expect(PasswordPolicy().problem(with: Secret(text), own: []) == problem)
    }

    @Test func `counts eight family emoji as more than 72 bytes`() {
        let family = "👨‍👩‍👧‍👦"
        #expect(
            PasswordPolicy().problem(with: Secret(String(repeating: family, count: 8)), own: [])
                == .tooLong(maximum: 72))
    }

    @Test(arguments: [
        "ada.lovelace@example.com", "ADA.LOVELACE@EXAMPLE.COM", "ada.lovelace", "ada_lovelace", "+15551234567",
        "15551234567", "Ada Lovelace", "sampleapp",
    ])
    func `refuses what the person or the app is called`(text: String) throws {
        let names = Account.ownNames(
            try AppName("sampleapp"), try EmailAddress("ada.lovelace@example.com"), try Username("Ada_Lovelace"),
            try PhoneNumber("+15551234567"), try PersonName("Ada Lovelace"))
        #expect(PasswordPolicy().problem(with: Secret(text), own: names) == .containsIdentifier)
        #expect(PasswordPolicy().problem(with: Secret(text + " and more"), own: names) == nil)
    }

    @Test func `asks for as many code points as it is told`() {
        let policy = PasswordPolicy(minimumLength: 12)
        #expect(policy.problem(with: Secret("elevenchars"), own: []) == .tooShort(minimum: 12))
        #expect(policy.problem(with: Secret("twelve chars"), own: []) == nil)
    }

    @Test func `refuses a megabyte`() {
        let text = Secret(String(repeating: "a", count: 1_000_000))
        #expect(PasswordPolicy().problem(with: text, own: []) == .tooLong(maximum: 72))
    }

    @Test func `prints no password`() {
        var text = ""
        dump(Secret(goodPassword), to: &text)
        #expect(!text.contains(goodPassword))
        #expect(!"\(Secret(goodPassword))".contains(goodPassword))
    }
}
