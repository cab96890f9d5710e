import OstiaryCore
import Testing

@Suite struct EmailAddressTests {
    @Test(arguments: [
        ("user@example.com", "user@example.com"), ("  user@example.com\n", "user@example.com"),
        ("John.Doe+tag@Example.COM", "john.doe+tag@example.com"), ("a@b.co", "a@b.co"),
        ("o'brien@example.com", "o'brien@example.com"), ("!#$%&'*+/=?^_`{|}~-@x.com", "!#$%&'*+/=?^_`{|}~-@x.com"),
        ("josé@example.com", "josé@example.com"), ("jose\u{301}@example.com", "jos\u{E9}@example.com"),
        ("user@bücher.example", "user@bücher.example"), ("用户@例子.公司", "用户@例子.公司"),
        ("user@xn--bcher-kva.example", "user@xn--bcher-kva.example"), ("1@1.1", "1@1.1"),
    ]) func `is compared in one canonical form`(typed: String, canonical: String) throws {
        let address = try EmailAddress(typed)
        #expect(Array(address.canonical.utf8) == Array(canonical.utf8))
    }

    @Test func `keeps the case that was typed and compares without it`() throws {
        #expect(try EmailAddress("John@Example.com").text == "John@Example.com")
        #expect(try EmailAddress("John@Example.com") == EmailAddress("jOHN@eXAMPLE.COM"))
        #expect(try Set([EmailAddress("a@x.com"), EmailAddress("A@X.com")]).count == 1)
        #expect(try EmailAddress("a@x.com") != EmailAddress("b@x.com"))
    }

    @Test func `folds the case of ASCII letters only`() throws {
        #expect(try EmailAddress("É@example.com") != EmailAddress("é@example.com"))
        // In a Turkish locale, lowercasing I gives a dotless i.
        #expect(try EmailAddress("I@example.com").canonical == "i@example.com")
    }

    @Test(arguments: [
        "", " ", "@", "a", "a@", "@x.com", "a@b", "a@@x.com", "a@x.com@y.com", "a b@x.com", "a@x .com", ".a@x.com",
        "a.@x.com", "a..b@x.com", "a@.x.com", "a@x..com", "a@-x.com", "a@x-.com", "a@x_y.com", "a@[127.0.0.1]",
        "a@x.com\u{0}", "a\u{0}@x.com", "a@x\u{200B}.com", "a\u{202E}@x.com", "a\u{FEFF}@x.com", "a＠x.com",
        "a@x。com", "a@x．com", "a@x｡com", "a(comment)@x.com", "a\t@x.com", "a\u{A0}b@x.com", "😀@x.com", "a@😀.com",
    ]) func `refuses what is not one plain address`(text: String) {
        #expect(throws: FieldProblem.malformed) { try EmailAddress(text) }
    }

    @Test(arguments: [
        "a@x.com,b@y.com", "a@x.com, b@y.com", "a@x.com;b@y.com", "a@x.com b@y.com", "a@x.com\r\nBcc: b@y.com",
        "a@x.com\nBcc: b@y.com", "a\r\n@x.com", "\"a\"@x.com", "\"a b\"@x.com", "<a@x.com>", "A <a@x.com>", "a@x.com.",
        "mailto:a@x.com", "a@x.com%0aBcc:b@y.com",
    ]) func `refuses whatever a mail server could take for another recipient (RS-07)`(text: String) {
        #expect(throws: FieldProblem.malformed) { try EmailAddress(text) }
    }

    @Test(arguments: [
        "a@example.com", "A@Example.COM", "É@example.com", "ａ@example.com", "a@bücher.example", "用户@例子.公司",
        "a@пример.рф", "a@한국.kr", "a@カ.example", "a@straße.example", "a@ελλάς.example", "a@1.example", "a@x.xn",
        "xn--a@example.com", "a@xn--bcher-kva.example", "a@mail.xn--bcher-kva",
    ]) func `is fit for a new account if mapping changes no character of its domain`(text: String) throws {
        #expect(try EmailAddress(text).isFit)
    }

    @Test(arguments: [
        "a@ｅxample.com", "a@example.ｃom", "a@Bücher.Éxample", "a@Пример.рф", "a@ｶ.example", "a@ﬁ.example",
        "a@ſ.example", "a@ᴷ.example", "a@İ.example", "a@１.example", "a@192.0.2.1", "1@1.1", "a@x.0x7f",
        "a@x\u{34F}.example", "a\u{34F}@x.example",
    ]) func `is not fit for a new account with a domain that mapping changes, an IP address or invisible characters`(
        text: String
    ) throws {
        #expect(try !EmailAddress(text).isFit)
    }

    @Test(arguments: [(253, true), (254, true), (255, false), (320, false), (400, false)])
    func `holds 254 bytes and no more (IN-25)`(length: Int, isAccepted: Bool) throws {
        // Labels of two bytes, dot included, after a local part of 64 or 63, so that any length can be had.
        let local = String(repeating: "a", count: length.isMultiple(of: 2) ? 64 : 63)
        let rest = length - local.utf8.count - "@com".utf8.count
        let text = "\(local)@\(String(repeating: "d.", count: rest / 2))com"
        #expect(text.utf8.count == length)
        if isAccepted {
            #expect(try EmailAddress(text).text == text)
        } else {
            #expect(throws: FieldProblem.tooLong(maximum: 254)) { try EmailAddress(text) }
        }
    }

    @Test(arguments: [(63, true), (64, true), (65, false)])
    func `holds 64 bytes before the at sign (IN-25)`(length: Int, isAccepted: Bool) {
        let text = "\(String(repeating: "a", count: length))@example.com"
        #expect(((try? EmailAddress(text)) != nil) == isAccepted)
    }

    @Test(arguments: [(62, true), (63, true), (64, false)])
    func `holds 63 bytes in a label of the domain (IN-25)`(length: Int, isAccepted: Bool) {
        let text = "a@\(String(repeating: "d", count: length)).com"
        #expect(((try? EmailAddress(text)) != nil) == isAccepted)
    }
}
