import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryIdentities

@Suite struct UnverifiedTokenTests {
    private static let payload =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    @Test func `RFC 7515 A.3 verifies ES256`() throws {
        let signature = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        let token = try #require(UnverifiedToken("eyJhbGciOiJFUzI1NiJ9.\(Self.payload).\(signature)"))
        let keys = try #require(
            VerificationKeySet(
                Array(
                    """
                    {"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",\
                    "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}
                    """.utf8)))
        #expect(token.claims["iss"] == "joe")
        #expect(keys.key(for: token)?.signed(token) == true)
        let other = try #require(UnverifiedToken("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UifQ.\(signature)"))
        #expect(keys.key(for: other)?.signed(other) == false)
    }

    @Test func `OA-21 a point that is not on the curve is no key`() {
        let key: JSON = [
            "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            "y": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        ]
        #expect(VerificationKey(key) == nil)
    }

    @Test(arguments: [
        "", ".", "..", "a.b.c", "e30.e30.", ".e30.e30", "eyJhbGciOiJFUzI1NiJ9.e30.AA=", "eyJhbGciOiJFUzI1NiJ9.e30.AB.",
        "eyJhbGciOiJFUzI1NiJ9 .e30.AA", "eyJhbGciOiJub25lIn0.e30.AA",
    ])
    func `OA-21 refuses what is no compact token in its one spelling`(text: String) {
        #expect(UnverifiedToken("eyJhbGciOiJFUzI1NiJ9.e30.AA") != nil)
        #expect(UnverifiedToken(text) == nil)
    }

    @Test(arguments: [
        (#"{"alg":"RS256","alg":"RS256"}"#, "{}"), (#"{"alg":"none","alg":"RS256"}"#, "{}"),
        (#"{"alg":"RS256","kid":"a","\u006bid":"b"}"#, "{}"), (#"{"alg":"RS256"}"#, #"{"sub":"ada","sub":"eve"}"#),
        (#"{"alg":"RS256"}"#, #"{"sub":"ada","iss":"a","iss":"a"}"#),
    ])
    func `PT-16: refuses a token with a name twice in its header or its claims`(header: String, claims: String) {
        func segment(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }
        #expect(UnverifiedToken("\(segment(#"{"alg":"RS256"}"#)).\(segment("{}")).AA") != nil)
        #expect(UnverifiedToken("\(segment(header)).\(segment(claims)).AA") == nil)
    }

    @Test func `reads at most a hundred keys, and no set that is none`() throws {
        let key =
            #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#
        let list = Array(repeating: key, count: 101).joined(separator: ",")
        #expect(VerificationKeySet(Array("{\"keys\":[\(list)]}".utf8))?.keys.count == 100)
        for text in ["[]", "{}", #"{"keys":{}}"#, "", #"{"keys":[],"keys":[]}"#] {
            #expect(VerificationKeySet(Array(text.utf8)) == nil)
        }
    }
}
