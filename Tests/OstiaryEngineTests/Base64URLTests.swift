import OstiaryCore
import Testing

@Suite struct Base64URLTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func `writes and reads the vectors of RFC 4648 §10`(plain: String, encoded: String) {
        #expect(Base64URL.encode(plain.utf8) == encoded)
        #expect(Base64URL.decode(encoded.utf8) == Array(plain.utf8))
    }

    @Test func `uses the alphabet that is safe in URLs`() {
        // RFC 7515 appendix C.
        #expect(Base64URL.encode([3, 236, 255, 224, 193]) == "A-z_4ME")
        #expect(Base64URL.decode("A-z_4ME".utf8) == [3, 236, 255, 224, 193])
    }

    @Test(arguments: [
        "Z", "Zg==", "Zg=", "Zh", "Zm9", "Zm9v\n", " Zm9v", "Zm9v Zg", "A+z/4ME", "Zm9vé", "Zm9v\0", "Zm9vY",
    ])
    func `refuses every other spelling`(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }

    @Test func `every length comes back`() {
        for count in 0...300 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 197 &+ count) }
            #expect(Base64URL.decode(Base64URL.encode(bytes).utf8) == bytes)
        }
    }
}
