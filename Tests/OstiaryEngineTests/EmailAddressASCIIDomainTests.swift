import OstiaryCore
import OstiaryEngine
import Testing

@Suite struct EmailAddressASCIIDomainTests {
    @Test(arguments: [
        ("a@bücher.example", "a@xn--bcher-kva.example"), ("用户@例子.公司", "用户@xn--fsqu00a.xn--55qx5d"),
        ("a@пример.рф", "a@xn--e1afmkfd.xn--p1ai"), ("a@straße.example", "a@xn--strae-oqa.example"),
        ("a@ελλάς.gr", "a@xn--hxarsa0b.gr"), ("a@한국.kr", "a@xn--3e0b707e.kr"),
        ("a@mail.ü.example", "a@mail.xn--tda.example"),
        ("a@Пример.рф", "a@xn--e1afmkfd.xn--p1ai"), ("a@ｅxample.com", "a@example.com"),
        ("a@ᎠᎡ.example", "a@xn--58dc.example"), ("a@\u{301}x.example", "a@xn--x-wbb.example"),
        ("ä@Example.com", "ä@example.com"), ("A@Example.COM", "A@Example.COM"),
    ]) func `has A-labels in its domain`(text: String, ascii: String) throws {
        let address = try EmailAddress(text).withASCIIDomain
        #expect(Array(address.text.utf8) == Array(ascii.utf8))
    }

    @Test func `stays as it is if a label has no A-label of 63 bytes`() throws {
        let letters = (0..<21).compactMap { Unicode.Scalar(0x4E00 + UInt32($0 * 7919 % 20_000)) }
        let text = "a@\(String(String.UnicodeScalarView(letters))).example"
        #expect(try EmailAddress(text).withASCIIDomain.text.utf8.elementsEqual(text.utf8))
        let repeated = "a@\(String(repeating: "字", count: 21)).example"
        #expect(try EmailAddress(repeated).withASCIIDomain.text.utf8.allSatisfy { $0 < 0x80 })
    }
}
