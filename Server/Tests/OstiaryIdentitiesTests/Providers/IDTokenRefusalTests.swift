import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryServerTestSupport
import OstiaryTesting
import Testing

@testable import OstiaryIdentities

/// Rows OA-21, OA-22 and OA-26: ID tokens that must be refused, from a provider that signs any claims.
@Suite(.timeLimit(.minutes(5))) struct IDTokenRefusalTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// Returns the peer's `id_token` setting, for the clock's time in seconds.
        var token: @Sendable (Int) -> JSON

        init(_ name: String, _ token: JSON) { self.init(name) { _ in token } }
        init(_ name: String, _ token: @escaping @Sendable (Int) -> JSON) {
            testDescription = name
            self.token = token
        }
    }

    static func claims(_ name: String, _ value: JSON) -> JSON { ["claims": .object([.init(name, value)])] }
    static func later(_ name: String, _ seconds: Int) -> @Sendable (Int) -> JSON {
        { now in claims(name, .integer(now + seconds)) }
    }

    static let refused: [Row] = [
        Row("OA-21 another audience", claims("aud", "client-2")),
        Row("OA-21 another audience that begins alike", claims("aud", "client-10")),
        Row("OA-21 no audience", ["drop": ["aud"]]),
        Row("OA-21 an empty audience list", claims("aud", [])),
        Row("OA-21 an audience list with a number", claims("aud", ["client-1", 7])),
        Row("OA-21 an audience that is an object", claims("aud", ["client-1": true])),
        Row("OA-21 several audiences without azp", claims("aud", ["client-1", "client-2"])),
        Row("OA-21 azp of somebody else", claims("azp", "client-2")),
        Row("OA-21 azp that is null", claims("azp", .null)),
        Row("OA-21 exp 61 seconds ago", later("exp", -61)),
        Row("OA-21 no exp", ["drop": ["exp"]]),
        Row("OA-21 exp as text", claims("exp", "9999999999")),
        Row("OA-21 exp without bound", claims("exp", .number(1e308))),
        Row("OA-21 exp below zero", claims("exp", -1)),
        Row("OA-21 iat in the future", later("iat", 61)),
        Row("OA-21 no iat", ["drop": ["iat"]]),
        Row("OA-21 iat without bound", claims("iat", .number(-1e308))),
        Row("OA-21 nbf in the future", later("nbf", 61)),
        Row("OA-21 nbf without bound", claims("nbf", .number(1e308))),
        Row("OA-21 nbf as text", claims("nbf", "0")),
        Row("OA-21 no nonce", ["drop": ["nonce"]]),
        Row("OA-21 another nonce", claims("nonce", "nonce-2")),
        Row("OA-21 an empty nonce", claims("nonce", "")),
        Row("OA-21 a nonce that is no text", claims("nonce", ["nonce-1"])),
        Row("OA-21 alg none", ["header": ["alg": "none"]]),
        Row("OA-21 alg none without signature", ["header": ["alg": "none"], "unsigned": true]),
        Row("OA-21 alg nOnE", ["header": ["alg": "nOnE"], "sign_as": "none"]),
        Row("OA-21 no signature", ["unsigned": true]),
        Row("OA-21 HS256 with client_secret", ["header": ["alg": "HS256"]]),
        Row("OA-21 HS256 with client_secret, without kid", ["header": ["alg": "HS256", "kid": .null]]),
        Row("OA-21 no alg", ["header": ["alg": .null], "sign_as": "RS256"]),
        Row("OA-21 an unknown alg", ["header": ["alg": "RS1"], "sign_as": "RS256"]),
        Row("OA-21 an alg that the key is not for", ["header": ["alg": "ES256"], "sign_as": "RS256"]),
        Row("OA-21 unknown kid", ["header": ["kid": "nobody"]]),
        Row("OA-21 a key that is not published", ["kid": "unpublished"]),
        Row(
            "OA-21 a key that is not published under the kid of one that is",
            ["kid": "unpublished", "header": ["kid": "rsa"]]),
        Row("OA-21 a kid that is a number", ["header": ["kid": 1]]),
        Row("OA-21 RSA with 1024 bits", ["kid": "small"]),
        Row("OA-21 crit", ["header": ["crit": ["exp"]]]),
        Row("OA-21 an unencoded payload", ["header": ["b64": false]]),
        Row("OA-21 an access token", ["header": ["typ": "at+jwt"]]),
        Row("OA-21 a broken signature", ["break_signature": true]),
        Row("OA-21 a wrong at_hash", claims("at_hash", "AAAAAAAAAAAAAAAAAAAAAA")),
        Row("OA-21 an at_hash that is no text", claims("at_hash", 1)),
        Row("OA-21 claims twice", ["payload": #"{"iss":"a","iss":"b"}"#]),
        Row("OA-21 claims that are a list", ["payload": "[1]"]),
        Row("OA-21 no token at all", ["verbatim": "not.a.token"]),
        Row("OA-21 a token of two parts", ["verbatim": "e30.e30"]),
        Row("OA-21 an encrypted token", ["verbatim": "e30.e30.e30.e30.e30"]),
        Row("OA-21 a token of 20 KB", claims("padding", .string(String(repeating: "x", count: 20_000)))),
        Row("OA-22 the issuer of another provider", claims("iss", "https://other.example.com")),
        Row("OA-22 an issuer with a slash more", { _ in claims("iss", "SLASH") }),
        Row("OA-22 no issuer", ["drop": ["iss"]]),
        Row("OA-26 an empty sub", claims("sub", "")),
        Row("OA-26 a sub of 256 bytes", claims("sub", .string(String(repeating: "s", count: 256)))),
        Row("OA-26 a sub that is a number", claims("sub", 1)),
        Row("OA-26 no sub", ["drop": ["sub"]]),
        Row("OA-26 a sub with a line break", claims("sub", "person-1\n")),
        Row("OA-26 a sub with NUL", claims("sub", "person\u{0}-1")),
        Row("OA-26 a sub with a C1 control", claims("sub", "person-1\u{85}")),
    ]

    @Test func `PT-37: says in the log which check failed, and nothing of the token`() async throws {
        let rows: [(check: String, token: JSON)] = [
            ("iss", Self.claims("iss", "https://other.example.com")), ("aud", Self.claims("aud", "client-2")),
            ("azp", Self.claims("azp", "client-2")), ("nonce", Self.claims("nonce", "nonce-2")),
            ("at_hash", Self.claims("at_hash", "AAAAAAAAAAAAAAAAAAAAAA")), ("sub", Self.claims("sub", "")),
            ("exp", Self.claims("exp", 1)), ("signature", ["break_signature": true]),
            ("key", ["header": ["kid": "nobody"]]), ("form", ["verbatim": "not.a.token"]),
        ]
        try await withProviderBench { bench in
            for (check, token) in rows {
                try await bench.behave(["now": .integer(bench.clock.seconds), "id_token": token])
                _ = await problem { try await bench.identity() }
                let issuer = bench.peer.base
                #expect(bench.log.records.last == "info ID token refused check=\(check) issuer=\(issuer)")
            }
            #expect(bench.log.records.count == rows.count)
        }
    }

    @Test func `refuses every token that is not for this sign-in`() async throws {
        try await withProviderBench { bench in
            for row in Self.refused {
                var token = row.token(bench.clock.seconds)
                if token.text(at: "claims", "iss") == "SLASH" {
                    token = Self.claims("iss", .string("\(bench.peer.base)/"))
                }
                try await bench.behave(["now": .integer(bench.clock.seconds), "id_token": token])
                let error = await problem { try await bench.identity() }
                #expect(
                    error as? IdentityProviderRefusal == .tokenInvalid,
                    "\(row.testDescription): \(String(describing: error))")
            }
            // The table proves nothing unless a valid token is accepted.
            try await bench.behave(["now": .integer(bench.clock.seconds)])
            #expect(try await bench.identity().subject == "person-1")
        }
    }

    static let accepted: [Row] = [
        Row("exp 59 seconds ago", later("exp", -59)),
        Row("iat 59 seconds ahead", later("iat", 59)),
        Row("times with fractions") { now in
            ["claims": ["iat": .number(Double(now) - 0.5), "exp": .number(Double(now) + 0.5)]]
        },
        Row("an audience list of one", claims("aud", ["client-1"])),
        Row("several audiences with azp", ["claims": ["aud": ["other", "client-1"], "azp": "client-1"]]),
        Row(
            "the hash of the access token",
            claims("at_hash", .string(SignatureAlgorithm.rs256.halfHash(of: "access-token-1")))),
        Row("no typ", ["header": ["typ": .null]]),
        Row("no kid where one key fits", ["kid": "p256", "header": ["alg": "ES256", "kid": .null]]),
        Row("a sub of 255 bytes", claims("sub", .string(String(repeating: "s", count: 255)))),
        Row("RS256", ["header": ["alg": "RS256"]]),
        Row("RS384", ["header": ["alg": "RS384"]]),
        Row("RS512", ["header": ["alg": "RS512"]]),
        Row("PS256", ["header": ["alg": "PS256"]]),
        Row("PS384", ["header": ["alg": "PS384"]]),
        Row("PS512", ["header": ["alg": "PS512"]]),
        Row("ES256", ["kid": "p256", "header": ["alg": "ES256"]]),
        Row("ES384", ["kid": "p384", "header": ["alg": "ES384"]]),
        Row("ES512", ["kid": "p521", "header": ["alg": "ES512"]]),
    ]

    @Test func `takes what a correct provider may send`() async throws {
        try await withProviderBench { bench in
            for row in Self.accepted {
                try await bench.behave([
                    "now": .integer(bench.clock.seconds), "id_token": row.token(bench.clock.seconds),
                ])
                let error = await problem { try await bench.identity() }
                #expect(error == nil, "\(row.testDescription)")
            }
        }
    }

    @Test(
        arguments: [
            ["use": "enc"], ["use": 1], ["alg": "RS384"], ["key_ops": ["sign"]], ["kid": 7], ["kty": "EC"],
            ["n": "AQAB"],
            ["e": "AQ"], ["e": "BA"], ["e": ""], ["n": ""], ["n": "="],
        ] as [JSON])
    func `OA-21 uses no key that is not for this`(change: JSON) async throws {
        try await withProviderBench { bench in
            try await bench.behave(["now": .integer(bench.clock.seconds), "published": ["rsa"], "key": change])
            let error = await problem { try await bench.identity() }
            #expect(error as? IdentityProviderRefusal == .tokenInvalid)
        }
    }

    @Test func `OA-21 tries no keys out where a token names none and several fit`() async throws {
        try await withProviderBench { bench in
            for (published, isTaken) in [(["rsa"], true), (["rsa", "unpublished"], false)] as [(JSON, Bool)] {
                bench.clock.advance(by: .seconds(3600))
                try await bench.behave([
                    "now": .integer(bench.clock.seconds), "published": published,
                    "id_token": ["header": ["kid": .null]],
                ])
                #expect((await problem { try await bench.identity() } == nil) == isTaken)
            }
        }
    }

    @Test func `OA-26 keeps a subject byte for byte, and no twin of it`() async throws {
        let composed = "caf\u{E9}"
        let decomposed = "cafe\u{301}"
        try await withProviderBench { bench in
            for subject in [composed, decomposed, " Person-1 ", "P\u{202E}1"] {
                try await bench.behave([
                    "now": .integer(bench.clock.seconds), "id_token": Self.claims("sub", .string(subject)),
                ])
                #expect(Array(try await bench.identity().subject.utf8) == Array(subject.utf8))
            }
        }
    }

    @Test func `OA-21 an audience that is only canonically equal is another`() async throws {
        try await withProviderBench(settings: { $0.clientID = "caf\u{E9}" }) { bench in
            for (audience, isOurs) in [("caf\u{E9}", true), ("cafe\u{301}", false)] {
                try await bench.behave([
                    "now": .integer(bench.clock.seconds), "id_token": Self.claims("aud", .string(audience)),
                ])
                #expect((await problem { try await bench.identity() } == nil) == isOurs)
            }
        }
    }
}
