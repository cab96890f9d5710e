import OstiaryCore
import Testing

@Suite struct InputRuleTests {
    @Test(
        arguments: [
            ("", InputVerdict.empty), (" \t", .empty), ("j", .incomplete(.malformed)), ("jo.", .incomplete(.malformed)),
            ("jo@", .incomplete(.malformed)), ("jo@example", .incomplete(.malformed)),
            ("jo@example.", .incomplete(.malformed)), ("jo@exa-", .incomplete(.malformed)),
            ("jo@example.c", .good), ("jo@example.com", .good), (" jo@example.com ", .good),
            ("jö@bücher.de", .good), ("jo jo", .invalid(.malformed)), ("jo@@", .invalid(.malformed)),
            ("jo@a@b.c", .invalid(.malformed)), (".jo", .invalid(.malformed)), ("jo..", .invalid(.malformed)),
            ("jo@-", .invalid(.malformed)), ("jo\0", .invalid(.malformed)), ("<jo@example.com>", .invalid(.malformed)),
            (String(repeating: "a", count: 64), .incomplete(.malformed)),
            (String(repeating: "a", count: 65), .invalid(.malformed)),
        ] as [(String, InputVerdict)])
    func `tells an email address that is being typed from one that cannot become any`(
        text: String, verdict: InputVerdict
    ) {
        #expect(EmailRule().check(text).verdict == verdict)
    }

    @Test(arguments: ["jo.doe+tag@mail.example.com", "Ö@ä.de", "x@y.z"])
    func `no beginning of a good email address is invalid`(text: String) {
        for length in 1..<text.count {
            #expect(EmailRule().check(String(text.prefix(length))).verdict.problemWhileTyping == nil)
        }
    }

    @Test(
        arguments: [
            ("", InputVerdict.empty), ("+", .incomplete(.malformed)), ("+1 (555) ", .incomplete(.malformed)),
            ("+155512", .incomplete(.malformed)), ("+1555123", .good), ("+1 (555) 123-45.67", .good),
            ("+123456789012345", .good), ("+1234567890123456", .invalid(.malformed)), ("0", .invalid(.malformed)),
            ("1555", .invalid(.malformed)), ("+0", .invalid(.malformed)), ("+1x", .invalid(.malformed)),
            ("++", .invalid(.malformed)), ("+١", .invalid(.malformed)),
        ] as [(String, InputVerdict)])
    func `tells a phone number that is being typed from one that cannot become any`(text: String, verdict: InputVerdict)
    {
        #expect(PhoneRule().check(text).verdict == verdict)
    }

    @Test(
        arguments: [
            ("", InputVerdict.empty), ("12345", .incomplete(.tooShort(minimum: 6))), ("123456", .good),
            ("012345", .good), ("123 456", .good), ("123-456 ", .good), ("1234567", .invalid(.tooLong(maximum: 6))),
            ("12345a", .invalid(.malformed)), ("a", .invalid(.malformed)), ("١٢٣٤٥٦", .invalid(.malformed)),
            ("12\u{301}3456", .invalid(.malformed)), ("１２３４５６", .invalid(.malformed)),
        ] as [(String, InputVerdict)])
    func `counts the digits of a code`(text: String, verdict: InputVerdict) {
        #expect(CodeRule().check(text).verdict == verdict)
    }

    @Test func `hands on the digits of a code alone, leading zeros included`() {
        #expect(CodeRule().check(" 001-234\n").value?.reveal() == "001234")
        #expect(CodeRule(length: 8).check("00123456").value?.reveal() == "00123456")
    }

    @Test(
        arguments: [
            ("", InputVerdict.empty), ("  ", .empty), ("jo", .good), ("jo@example.com", .good), ("jo|doe", .good),
            ("jo\u{202E}", .invalid(.malformed)),
            (String(repeating: "a", count: 255), .invalid(.tooLong(maximum: 254))),
        ] as [(String, InputVerdict)])
    func `takes a username as it is asked for`(text: String, verdict: InputVerdict) {
        #expect(UsernameRule().check(text).verdict == verdict)
    }

    @Test func `lets nobody choose a username that looks like a provider's subject, where tokens name people by it`() {
        let rules = AppRules(identifier: .username, claims: ClaimRules(subject: .username))
        #expect(UsernameRule(choosingFor: rules).check("auth0|1").verdict == .invalid(.malformed))
        #expect(UsernameRule(choosingFor: AppRules(identifier: .username)).check("auth0|1").verdict == .good)
    }

    @Test(arguments: ["jo\u{3164}", "\u{115F}", "jo\u{FE0F}"])
    func `lets nobody choose a username with invisible characters, which an account may have`(text: String) {
        let rules = AppRules(identifier: .username)
        #expect(UsernameRule(choosingFor: rules).check(text).verdict == .invalid(.malformed))
        #expect(UsernameRule().check(text).verdict == .good)
    }

    @Test(
        arguments: [
            ("", InputVerdict.empty), ("Ada Lovelace", .good), ("محمد\u{200C}رضا", .good),
            ("Ada\nLovelace", .invalid(.malformed)),
            (String(repeating: "a", count: 201), .invalid(.tooLong(maximum: 200))),
        ] as [(String, InputVerdict)])
    func `takes a name as it is`(text: String, verdict: InputVerdict) {
        #expect(NameRule().check(text).verdict == verdict)
    }

    @Test func `an empty field is missing once the person is done with it, and nothing before`() {
        #expect(InputVerdict.empty.problem == .missing)
        #expect(InputVerdict.empty.problemWhileTyping == nil)
        #expect(InputVerdict.incomplete(.malformed).problem == .malformed)
        #expect(InputVerdict.incomplete(.malformed).problemWhileTyping == nil)
        #expect(InputVerdict.invalid(.malformed).problemWhileTyping == .malformed)
        #expect(InputVerdict.good.problem == nil)
    }
}
