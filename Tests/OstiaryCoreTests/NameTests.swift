import OstiaryCore
import Testing

@Suite struct UsernameTests {
    @Test(arguments: [
        ("johndoe", "johndoe"), ("  JohnDoe ", "johndoe"), ("john@Example.com", "john@example.com"),
        ("用户", "用户"), ("jose\u{301}", "jos\u{E9}"), ("auth0|abc", "auth0|abc"), ("ÉCOLE", "École"),
    ]) func `is compared in one canonical form`(typed: String, canonical: String) throws {
        #expect(Array(try Username(typed).canonical.utf8) == Array(canonical.utf8))
    }

    @Test func `keeps the case that was typed and compares without it`() throws {
        #expect(try Username("JohnDoe").text == "JohnDoe")
        #expect(try Username("JohnDoe") == Username("johndoe"))
        #expect(try Set([Username("JohnDoe"), Username("johndoe")]).count == 1)
    }

    @Test(arguments: ["Ann", " ann\n", "rene\u{301}", "\u{00A0}ren\u{E9}"])
    func `PT-11: keeps what was given, byte for byte`(given: String) throws {
        #expect(Array(try Username(given).verbatim.utf8) == Array(given.utf8))
    }

    @Test func `PT-11: keeps no more than a username may have`() throws {
        let username = try Username("ann" + String(repeating: " ", count: 252))
        #expect(username.verbatim == "ann")
    }

    @Test(arguments: [
        "", " ", "\n", "a\nb", "a\r\nb", "a\u{0}", "a\u{1B}[31m", "a\u{200B}b", "a\u{202E}b", "a\u{2028}b", "\u{FEFF}a",
        "a\u{E000}",
    ]) func `refuses what hides or breaks a line`(text: String) {
        #expect(throws: FieldProblem.malformed) { try Username(text) }
    }

    @Test(arguments: [(253, true), (254, true), (255, false)])
    func `holds 254 bytes (IN-25)`(length: Int, isAccepted: Bool) throws {
        let text = String(repeating: "é", count: length / 2) + (length.isMultiple(of: 2) ? "" : "a")
        #expect(text.utf8.count == length)
        if isAccepted {
            #expect(try Username(text).text == text)
        } else {
            #expect(throws: FieldProblem.tooLong(maximum: 254)) { try Username(text) }
        }
    }
}

@Suite struct PersonNameTests {
    @Test(arguments: [
        ("John Doe", "John Doe"), ("  John  Doe ", "John  Doe"), ("José", "José"), ("Jose\u{301}", "Jos\u{E9}"),
        ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("क\u{200D}ष", "क\u{200D}ष"), ("Zoë 🦊", "Zoë 🦊"), ("", ""),
        ("O'Brien, Jr.", "O'Brien, Jr."), ("<b>", "<b>"),
    ]) func `is free text in one line`(typed: String, text: String) throws {
        #expect(Array(try PersonName(typed).text.utf8) == Array(text.utf8))
    }

    @Test(arguments: ["a\nb", "a\rb", "a\u{0}b", "a\u{85}b", "a\u{2029}b", "a\u{202E}b", "a\u{200B}b", "a\u{7F}b"])
    func `refuses what hides or breaks a line`(text: String) {
        #expect(throws: FieldProblem.malformed) { try PersonName(text) }
    }

    @Test(arguments: [(199, true), (200, true), (201, false)])
    func `holds 200 bytes (IN-25)`(length: Int, isAccepted: Bool) throws {
        let text = String(repeating: "é", count: length / 2) + (length.isMultiple(of: 2) ? "" : "a")
        if isAccepted {
            #expect(try PersonName(text).text == text)
        } else {
            #expect(throws: FieldProblem.tooLong(maximum: 200)) { try PersonName(text) }
        }
    }
}

@Suite struct IdentifierTextTests {
    @Test(arguments: ["1", "123", "f47ac10b-58cc-4372-a567-0e02b2c3d479", "A_b-9", String(repeating: "a", count: 64)])
    func `account and session ids are kept as they are`(text: String) throws {
        #expect(try AccountID(text).text == text)
        #expect(try SessionID(text).text == text)
    }

    @Test(arguments: [
        "", " ", "a b", "a/b", "../a", "a.b", "a|b", "é", "１", "a\n", "a\u{0}", "'--",
        String(repeating: "a", count: 65),
    ]) func `ids of another form are refused`(text: String) {
        #expect(throws: FieldProblem.malformed) { try AccountID(text) }
        #expect(throws: FieldProblem.malformed) { try SessionID(text) }
    }

    @Test func `an identifier tells its canonical form, what was typed, and its field`() throws {
        #expect(Identifier.email(try EmailAddress("A@X.com")).canonical == "a@x.com")
        #expect(Identifier.username(try Username("Ann")).canonical == "ann")
        #expect(Identifier.phoneNumber(try PhoneNumber("+1 555 123 4567")).canonical == "+15551234567")
        #expect(Identifier.email(try EmailAddress("A@X.com")).text == "A@X.com")
        #expect(Identifier.username(try Username("Ann")).text == "Ann")
        #expect(Identifier.phoneNumber(try PhoneNumber("+1 555 123 4567")).text == "+15551234567")
        #expect(Identifier.email(try EmailAddress("A@X.com")).field == .email)
        #expect(Identifier.username(try Username("Ann")).field == .username)
        #expect(Identifier.phoneNumber(try PhoneNumber("+15551234567")).field == .phoneNumber)
    }
}
