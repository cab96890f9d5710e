import OstiaryCore
import Testing

@Suite struct PhoneRegionTests {
    @Test(arguments: [
        ("DE", "0170 1234567", "+491701234567"), ("DE", "170 1234567", "+491701234567"),
        ("DE", "(0170) 123/4567", "+491701234567"), ("DE", "0049 170 1234567", "+491701234567"),
        ("DE", "+1 555 123 4567", "+15551234567"), ("GB", "07400 123456", "+447400123456"),
        ("US", "(555) 123-4567", "+15551234567"), ("US", "1 555 123 4567", "+15551234567"),
        ("US", "011 49 170 1234567", "+491701234567"), ("AU", "0011 49 170 1234567", "+491701234567"),
        ("HU", "06 20 123 4567", "+36201234567"), ("ES", "612 34 56 78", "+34612345678"),
        // The first 0 of an Italian or Ivorian number belongs to it.
        ("IT", "06 1234 5678", "+390612345678"), ("CI", "01 23 45 67 89", "+2250123456789"),
        // Of 8 the length tells whether it is a trunk prefix.
        ("RU", "8 912 345-67-89", "+79123456789"), ("RU", "800 555 35 35", "+78005553535"),
        ("BY", "8 029 491 19 11", "+375294911911"), ("BY", "29 491 19 11", "+375294911911"),
        ("LT", "8 612 34567", "+37061234567"), ("LT", "0 612 34567", "+37061234567"),
    ])
    func `a national number becomes E.164`(region: String, typed: String, e164: String) throws {
        let region = try #require(PhoneRegion(region))
        #expect(try PhoneNumber(typed: typed, in: region).e164 == e164)
        #expect(PhoneRule(region: region).check(typed).value?.e164 == e164)
    }

    @Test(arguments: [
        "\u{202A}+49\u{A0}170\u{202F}1234567\u{202C}", "\u{200E}+49 170\u{2011}1234567\u{200F}",
        "\u{2066}+49–170—1234567\u{2069}", "+49\u{2212}170\u{3000}1234567", "\u{2068}+49\u{2009}1701234567\u{2069}",
        "\u{FEFF}+49\u{200B}1701234567\n", "+49\u{202D}170\u{202E}1234567", "\u{61C}+49/170/1234567\u{2067}",
    ])
    func `marks around and between digits are passed over`(typed: String) throws {
        #expect(try PhoneNumber(typed: typed).e164 == "+491701234567")
        #expect(PhoneRule().check(typed).value?.e164 == "+491701234567")
        // What comes in a request is no address book's.
        #expect(throws: FieldProblem.malformed) { try PhoneNumber(typed) }
    }

    @Test(arguments: ["0170 1234567", "170", "0049 170 1234567"])
    func `without a region a national number is refused`(typed: String) {
        #expect(throws: FieldProblem.malformed) { try PhoneNumber(typed: typed) }
    }

    @Test func `a national number that is being typed is incomplete`() throws {
        let rule = PhoneRule(region: PhoneRegion("DE"))
        for length in 1..<5 {
            #expect(rule.check(String("01701".prefix(length))).verdict == .incomplete(.malformed), "\(length)")
        }
        #expect(rule.check("01701x").verdict == .invalid(.malformed))
        #expect(rule.check("0170 1234567 1234567 1234567").verdict == .invalid(.malformed))
        #expect(rule.check("\u{200E} \u{A0}").verdict == .empty)
    }

    @Test func `no more than 64 bytes are looked at`() throws {
        let marks = String(repeating: "\u{200E}", count: 17)
        #expect(try PhoneNumber(typed: "+4917012345678" + marks.dropLast(1)).e164 == "+4917012345678")
        #expect(throws: FieldProblem.malformed) { try PhoneNumber(typed: "+4917012345678" + marks) }
        #expect(PhoneRule().check("+4917012345678" + marks).verdict == .invalid(.malformed))
        #expect(PhoneRule().check(String(repeating: " ", count: 65)).verdict == .invalid(.malformed))
        #expect(CodeRule().check("123456" + marks + marks).verdict == .invalid(.tooLong(maximum: 6)))
        #expect(CodeRule().check("\u{2066}123\u{A0}456\u{2069}").verdict == .good)
    }

    @Test func `every region has a calling code that a number can begin with`() throws {
        #expect(PhoneRegion.all.count > 240)
        #expect(Set(PhoneRegion.all.map(\.code)).count == PhoneRegion.all.count)
        for region in PhoneRegion.all {
            #expect(region.code.utf8.allSatisfy { (0x41...0x5A).contains($0) })
            #expect((1...3).contains(region.callingCode.utf8.count), "\(region.code)")
            #expect(throws: Never.self) { try PhoneNumber("+" + region.callingCode + "212345678") }
            #expect(PhoneRegion(region.code) == region)
        }
        #expect(PhoneRegion("DE")?.callingCode == "49" && PhoneRegion("CA")?.callingCode == "1")
        for code in ["", "de", "ZZ", "DEU", "001"] { #expect(PhoneRegion(code) == nil) }
    }
}
