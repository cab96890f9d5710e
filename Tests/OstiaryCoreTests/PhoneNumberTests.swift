import OstiaryCore
import Testing

@Suite struct PhoneNumberTests {
    @Test(arguments: [
        "+15551234567", "+1 555 123 4567", "+1 (555) 123-4567", "+1.555.123.4567", "+1(555)1234567", " +15551234567 ",
        "(+1) 555-123-4567",
    ]) func `is one number however it is grouped (OT-08)`(text: String) throws {
        #expect(try PhoneNumber(text).e164 == "+15551234567")
        #expect(try PhoneNumber(text) == PhoneNumber("+15551234567"))
    }

    @Test(arguments: [
        "", "+", "15551234567", "0015551234567", "001 555 123 4567", "05551234567", "+05551234567", "++15551234567",
        "tel:+15551234567", "+15551234567;ext=9", "+15551234567x9", "+15551234567 ext 9", "+1555123456a",
        "+1５５５1234567", "＋15551234567", "+١٥٥٥١٢٣٤٥٦٧", "+1\u{A0}5551234567", "+1\t5551234567", "+15551234567\n",
        "+1555\u{0}1234567", "+1/555/1234567", "+1,5551234567", "+1*5551234567", "+1–555–1234567", "+-() .",
    ]) func `refuses every other form (OT-08)`(text: String) {
        #expect(throws: FieldProblem.malformed) { try PhoneNumber(text) }
    }

    @Test(arguments: [(6, false), (7, true), (8, true), (14, true), (15, true), (16, false)])
    func `has 7 to 15 digits (OT-08, IN-25)`(digits: Int, isAccepted: Bool) {
        let text = "+\(String(repeating: "1", count: digits))"
        #expect(((try? PhoneNumber(text)) != nil) == isAccepted)
    }

    @Test(arguments: [(63, true), (64, true), (65, false)])
    func `is read from at most 64 bytes (IN-25)`(length: Int, isAccepted: Bool) {
        let number = "+15551234567"
        let text = number + String(repeating: " ", count: length - number.utf8.count)
        #expect(((try? PhoneNumber(text)) != nil) == isAccepted)
    }
}

@Suite struct OneTimeCodeTests {
    @Test(arguments: ["0000", "123456", "012345", "000000", "1234567890"])
    func `keeps every digit, leading zeros too`(text: String) throws {
        #expect(try OneTimeCode(text).reveal() == text)
    }

    @Test func `with and without a leading zero is two codes`() throws {
        #expect(try OneTimeCode("012345") != OneTimeCode("12345"))
    }

    @Test(arguments: [
        "", "123", "12345678901", "+12345", " 123456", "123456 ", "123456\n", "12 3456", "１２３４５６", "١٢٣٤٥٦",
        "12345a", "%", "*", "______", "1234.5", "-12345", "0x1234", "123456\u{0}", "1e5000", "[\"123456\"]",
    ]) func `is ASCII digits and nothing else (OT-07)`(text: String) {
        #expect(throws: FieldProblem.malformed) { try OneTimeCode(text) }
    }

    @Test(arguments: [(3, false), (4, true), (5, true), (9, true), (10, true), (11, false)])
    func `has 4 to 10 digits (IN-25)`(digits: Int, isAccepted: Bool) {
        #expect(((try? OneTimeCode(String(repeating: "7", count: digits))) != nil) == isAccepted)
    }
}
