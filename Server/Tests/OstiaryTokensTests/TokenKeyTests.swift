import OstiaryEngine
import Crypto
import Foundation
import OstiaryCore
import Testing

@testable import OstiaryTokens

@Suite struct TokenKeyTests {
    static let payload =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    @Test func `verifies RFC 7515 A.1, HS256`() throws {
        let secret = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
        let bytes = try #require(Base64URL.decode(secret.utf8))
        let key = try TokenKey(hs256: SymmetricKey(data: bytes), header: ["typ": "JWT", "alg": "HS256"])
        let input = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(Self.payload)"
        let token = try #require(CompactToken("\(input).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        #expect(key.signed(token))
        let altered = try #require(CompactToken("\(input).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXg"))
        #expect(!key.signed(altered))
    }

    @Test func `verifies RFC 7515 A.3, ES256, in the one spelling of its signature that we take`() throws {
        let key = try TokenKey(
            es256: P256.Signing.PrivateKey(
                rawRepresentation: try #require(
                    Base64URL.decode("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI".utf8))),
            header: ["alg": "ES256"])
        let input = "eyJhbGciOiJFUzI1NiJ9.\(Self.payload)"
        let published = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

        let high = try #require(CompactToken("\(input).\(published)"))
        #expect(!key.signed(high))
        let low = try #require(CompactToken("\(input).\(Base64URL.encode(ES256Signature.lowered(high.signature)))"))
        #expect(key.signed(low))
    }

    @Test func `every ES256 signature has the lower s`() throws {
        let key = try TokenKey.es256(P256.Signing.PrivateKey(), kid: "a", for: .access)
        for number in 0..<64 {
            #expect(ES256Signature.isLow(try key.sign([UInt8(number)])))
        }
    }

    @Test func `the lower s is found by subtraction from the order`() {
        let order: [UInt8] =
            Array(repeating: 0xFF, count: 4) + [0, 0, 0, 0] + Array(repeating: 0xFF, count: 8) + [
                0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
            ]
        let r = [UInt8](repeating: 1, count: 32)
        let minusOne = Array(order.dropLast()) + [0x50]
        #expect(ES256Signature.lowered(r + minusOne) == r + Array(repeating: 0, count: 31) + [1])
        let small = r + Array(repeating: 0, count: 31) + [1]
        #expect(ES256Signature.lowered(small) == small)
    }

    @Test func `refuses a secret of fewer than 32 bytes`() throws {
        for length in [0, 1, 31] {
            #expect(throws: TokenError.secretTooShort(minimumBytes: 32)) {
                try TokenKey.hs256(secret: Secret(String(repeating: "k", count: length)), for: .access)
            }
        }
        _ = try TokenKey.hs256(secret: Secret(String(repeating: "é", count: 16)), for: .access)
    }
}
