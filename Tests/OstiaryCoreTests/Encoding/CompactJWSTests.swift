import OstiaryCore
import Testing

@Suite struct CompactJWSTests {
    @Test func `splits and decodes the token of RFC 7515 §A.1`() throws {
        let text =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
            + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
            + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let token = try #require(CompactJWS(text))
        #expect(token.header == Array("{\"typ\":\"JWT\",\r\n \"alg\":\"HS256\"}".utf8))
        #expect(token.payload.starts(with: "{\"iss\":\"joe\"".utf8))
        #expect(token.signature.count == 32)
        #expect(Array(token.signingInput) == Array(text.utf8.prefix { $0 != 0x2E } + [0x2E]) + Self.payload(text))
    }

    private static func payload(_ text: String) -> [UInt8] {
        Array(text.utf8.split(separator: UInt8(ascii: "."))[1])
    }

    @Test(arguments: [
        "", ".", "..", "e30", "e30.e30", "e30.e30.", ".e30.e30", "e30..e30", "e30.e30.e30.e30", ".e30.e30.e30",
        // Padding, another alphabet, trailing bits, white space.
        "e30=.e30.e30", "e30.+/==.e30", "e30.e31.e30", "e30.e30.e30\n", " e30.e30.e30", "e30.e30.é",
    ])
    func `reads nothing but three parts in canonical base64url`(text: String) {
        #expect(CompactJWS(text) == nil)
    }

    @Test func `reads no token that is longer than the limit`() {
        #expect(CompactJWS("e30.e30.e30", atMost: 11) != nil)
        #expect(CompactJWS("e30.e30.e30", atMost: 10) == nil)
        #expect(CompactJWS("e30.e30." + String(repeating: "A", count: 16_376)) != nil)
        #expect(CompactJWS("e30.e30." + String(repeating: "A", count: 16_380)) == nil)
    }
}
