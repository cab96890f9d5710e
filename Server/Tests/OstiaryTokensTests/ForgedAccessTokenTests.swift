import Crypto
import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryTokens

/// Tokens that were created or altered without a key.
@Suite struct ForgedAccessTokenTests {
    static let algorithms = [
        "none", "None", "nOnE", "", "HS256", "HS384", "HS512", "PS256", "RS256", "RS1", "ES384", "ES512", "ES256K",
        "EdDSA", "es256", "ES256 ", "dir", "PBES2-HS256+A128KW",
    ]

    @Test(arguments: algorithms) func `refuses another algorithm under our key's name`(algorithm: String) async throws {
        let node = try await Node()
        let token = try await node.tokens.issue(makeGrant()).reveal()
        let kid = try #require(try json(segments(token)[0])["kid"] as? String)
        let keys = try #require(try await node.tokens.publicKeySet(at: start))
        let payload = Forge.claims()
        for header in [
            #"{"alg":"\#(algorithm)","kid":"\#(kid)","typ":"at+jwt"}"#, #"{"alg":"\#(algorithm)","typ":"at+jwt"}"#,
        ] {
            for secret in [keys, Array(kid.utf8), []] {
                let forged = Forge.token(header: header, payload: payload) { Forge.hmac($0, secret: secret) }
                #expect(try await node.tokens.read(Secret(forged), at: start) == nil)
            }
            let unsigned = "\(Forge.segment(header)).\(Forge.segment(payload))"
            for forged in [unsigned, unsigned + ".", "\(unsigned).\(segments(token)[2])"] {
                #expect(try await node.tokens.read(Secret(forged), at: start) == nil)
            }
        }
    }

    @Test(arguments: [
        #"{"typ":"at+jwt"}"#, #"{"alg":null,"typ":"at+jwt"}"#, #"{"alg":["HS256"],"typ":"at+jwt"}"#,
        #"{"alg":{"alg":"HS256"},"typ":"at+jwt"}"#, #"{"alg":1,"typ":"at+jwt"}"#, #"{"alg":1e308,"typ":"at+jwt"}"#,
        #"{"alg":"HS256"}"#, #"{"alg":"HS256","typ":"JWT"}"#, #"{"alg":"HS256","typ":"AT+JWT"}"#,
        #"{"alg":"HS256","typ":"refresh+jwt"}"#, #"{"alg":"HS256","typ":"dpop+jwt"}"#,
        #"{"alg":"HS256","typ":"at+jwt","crit":["exp"],"exp":1}"#, #"{"alg":"HS256","typ":"at+jwt","crit":[]}"#,
        #"{"alg":"HS256","typ":"at+jwt","b64":false,"crit":["b64"]}"#, #"{"alg":"HS256","typ":"at+jwt","zip":"DEF"}"#,
        #"{"alg":"HS256","typ":"at+jwt","kid":"../../dev/null"}"#, #"{"alg":"HS256","typ":"at+jwt","kid":null}"#,
        #"{"alg":"HS256","typ":"at+jwt","cty":"JWT"}"#, #"{"alg":"HS256","typ":"at+jwt","p2c":2147483648}"#,
        #"{"alg":"HS256","typ":"at+jwt","jku":"http://127.0.0.1:1/keys"}"#,
        #"{"alg":"HS256","typ":"at+jwt","x5u":"http://127.0.0.1:1/chain"}"#,
        #"{"alg":"HS256","typ":"at+jwt","x5c":["MIIB"]}"#, "[]", "null", "", "{", "\u{FEFF}{}",
    ])
    func `refuses any other header, though the signature is right`(header: String) async throws {
        let tokens = try makeHMACTokens()
        let forged = Forge.signed(payload: Forge.claims(), header: header)
        #expect(try await tokens.read(Secret(forged), at: start) == nil)
    }

    @Test func `takes the same header in another order, for the tables in this file to mean something`() async throws {
        let tokens = try makeHMACTokens()
        let token = Forge.signed(payload: Forge.claims(), header: #"{ "typ" : "at+jwt", "alg" : "HS256" }"#)
        #expect(try await tokens.read(Secret(token), at: start) != nil)
    }

    @Test func `does not use a key that the token brings along`() async throws {
        let node = try await Node()
        let key = P256.Signing.PrivateKey()
        let webKey = JSONWebKey(key.publicKey)
        let jwk = #"{"crv":"P-256","kty":"EC","x":"\#(webKey.members["x"] ?? "")","y":"\#(webKey.members["y"] ?? "")"}"#
        let ours = try await node.keys.current(at: start).webKey.kid
        for kid in [webKey.kid, ours] {
            for header in [
                #"{"alg":"ES256","jwk":\#(jwk),"kid":"\#(kid)","typ":"at+jwt"}"#,
                #"{"alg":"ES256","jku":"http://127.0.0.1:1/","kid":"\#(kid)","typ":"at+jwt"}"#,
                #"{"alg":"ES256","kid":"\#(kid)","typ":"at+jwt"}"#,
            ] {
                let forged = try Forge.token(header: header, payload: Forge.claims()) {
                    ES256Signature.lowered(Array(try key.signature(for: $0).rawRepresentation))
                }
                #expect(try await node.tokens.read(Secret(forged), at: start) == nil)
            }
        }
    }

    @Test(arguments: [
        #""../../dev/null""#, #""' OR 1=1--""#, #""\#(String(repeating: "A", count: 5000))""#, #""\u0000""#, "[]",
        #"["a"]"#, "{}", "null", "7", #""""#, #""AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA""#, nil,
    ])
    func `refuses every kid but our own`(kid: String?) async throws {
        let store = SigningKeysInMemory()
        let node = try await Node(store: store)
        let key = try await node.keys.current(at: start).token
        let member = kid.map { #","kid":\#($0)"# } ?? ""
        let forged = try Forge.token(header: #"{"alg":"ES256"\#(member),"typ":"at+jwt"}"#, payload: Forge.claims()) {
            try key.sign($0)
        }
        #expect(try await node.tokens.read(Secret(forged), at: start) == nil)
    }

    @Test func `refuses ES256 signatures in any other form`() async throws {
        let node = try await Node()
        let parts = segments(try await node.tokens.issue(makeGrant()).reveal())
        let signature = try #require(Base64URL.decode(parts[2].utf8))
        let (r, s) = (Array(signature.prefix(32)), Array(signature.suffix(32)))
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD,
            0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]
        let zero = [UInt8](repeating: 0, count: 32)
        let der = Array(try P256.Signing.ECDSASignature(rawRepresentation: signature).derRepresentation)
        var high = r + zero
        var borrow = 0
        for index in (0..<32).reversed() {
            let difference = Int(order[index]) - Int(s[index]) - borrow
            borrow = difference < 0 ? 1 : 0
            high[32 + index] = UInt8(truncatingIfNeeded: difference)
        }
        // The other signature of the pair is valid to other libraries.
        let others = try P256.Signing.ECDSASignature(rawRepresentation: high)
        let key = try await node.keys.current(at: start)
        let publicKey = try P256.Signing.PublicKey(
            rawRepresentation: try #require(Base64URL.decode((key.webKey.members["x"] ?? "").utf8))
                + (try #require(Base64URL.decode((key.webKey.members["y"] ?? "").utf8))))
        #expect(publicKey.isValidSignature(others, for: Data("\(parts[0]).\(parts[1])".utf8)))

        for forged in [
            zero + zero, order + order, r + zero, zero + s, r + order, der, high, Array(signature.dropLast()), r, [],
            [0] + signature, signature + [0], s + r, [UInt8](repeating: 0xFF, count: 64),
        ] {
            let token = "\(parts[0]).\(parts[1]).\(Base64URL.encode(forged))"
            #expect(try await node.tokens.read(Secret(token), at: start) == nil)
        }
        #expect(try await node.tokens.read(Secret(parts.joined(separator: ".")), at: start) != nil)
    }

    @Test func `refuses any other character anywhere`() async throws {
        for tokens in [try makeHMACTokens(), try await Node().tokens] {
            let token = Array(try await tokens.issue(makeGrant()).reveal().utf8)
            for position in token.indices {
                for change: UInt8 in [1, 2, 0x20] {
                    var altered = token
                    altered[position] ^= change
                    let forged = String(decoding: altered, as: UTF8.self)
                    #expect(try await tokens.read(Secret(forged), at: start) == nil, "\(position) ^ \(change)")
                }
            }
        }
    }

    @Test func `refuses parts of other tokens and any other number of parts`() async throws {
        for tokens in [try makeHMACTokens(), try await Node().tokens] {
            let one = segments(try await tokens.issue(makeGrant()).reveal())
            let other = segments(try await tokens.issue(makeGrant(generation: 4)).reveal())
            let (h, p, s) = (one[0], one[1], one[2])
            for forged in [
                "\(h).\(p).\(other[2])", "\(h).\(other[1]).\(s)", "", ".", "..", "...", h, "\(h).\(p)", "\(h).\(p).",
                "\(h)..\(s)", ".\(p).\(s)", "\(h).\(p).\(s).", ".\(h).\(p).\(s)", "\(h).\(p).\(s).\(s)",
                "\(h).\(p).\(s).\(s).\(s)", "\(h).\(p).\(s)=", "\(h).\(p).\(s)\n", " \(h).\(p).\(s)",
                "Bearer \(h).\(p).\(s)", "\(h). \(p).\(s)", "\(h).\(p).\(s)\0", "\(h)\u{2E}\(p)\u{FF0E}\(s)",
                #"{"payload":"\#(p)","protected":"\#(h)","signature":"\#(s)"}"#,
            ] {
                #expect(try await tokens.read(Secret(forged), at: start) == nil, "\(forged)")
            }
            #expect(try await tokens.read(Secret("\(h).\(p).\(s)"), at: start) != nil)
        }
    }

    @Test(arguments: [8192, 8193, 65_536, 1_048_576]) func `refuses long texts, whatever is in them`(
        length: Int
    ) async throws {
        let tokens = try await Node().tokens
        let token = try await tokens.issue(makeGrant()).reveal()
        let deep = Forge.segment(String(repeating: "[", count: length / 4 * 3 - 3))
        for forged in [
            String(repeating: ".", count: length), String(repeating: "A", count: length),
            token + String(repeating: "A", count: length - token.utf8.count), "\(deep).e30.AA",
            "\(Forge.segment(#"{"alg":"ES256"}"#)).\(deep).AA",
        ] {
            #expect(try await tokens.read(Secret(forged), at: start) == nil)
        }
    }

    @Test func `reads a long payload of ours up to the limit`() async throws {
        let tokens = try makeHMACTokens()
        let long = Forge.signed(payload: Forge.claims(["name": "\"\(String(repeating: "n", count: 5800))\""]))
        #expect((8000...8192).contains(long.utf8.count))
        #expect(try await tokens.read(Secret(long), at: start) != nil)
        let longer = Forge.signed(payload: Forge.claims(["name": "\"\(String(repeating: "n", count: 6000))\""]))
        #expect(longer.utf8.count > 8192)
        #expect(try await tokens.read(Secret(longer), at: start) == nil)
    }
}
