import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryTokens

/// Claims under a valid signature.
@Suite struct AccessClaimsTests {
    @Test(arguments: [
        nil, "null", #""1800003600""#, "1800003600.5", "true", "[1800003600]", "{}", "-1", "0", "-9223372036854775808",
        "9223372036854775808", "18446744073709551616", "1e308", "-1e308", "1e400", "NaN", "Infinity", "0x6B49D200",
        "1799999999", "1800000000",
    ])
    func `refuses this exp`(exp: String?) async throws {
        #expect(try await read(["exp": exp]) == nil)
    }

    @Test func `a token is over at exp to the second`() async throws {
        let tokens = try makeHMACTokens()
        let token = try await tokens.issue(makeGrant(lifetime: 60))
        for (seconds, isAccepted) in [(59.0, true), (59.999, true), (60.0, false), (61, false), (1e9, false)] {
            #expect((try await tokens.read(token, at: start.addingTimeInterval(seconds)) != nil) == isAccepted)
            // Also without the cached result of an earlier read.
            #expect(
                (try await makeHMACTokens().read(token, at: start.addingTimeInterval(seconds)) != nil) == isAccepted)
        }
    }

    @Test func `the largest exp is far away and nothing more`() async throws {
        #expect(try await read(["exp": "9223372036854775807"]) != nil)
    }

    @Test(arguments: [
        ("iat", "1800000060", true), ("iat", "1800000061", false), ("iat", "9223372036854775807", false),
        ("iat", "-9223372036854775808", true), ("iat", #""1800000000""#, false), ("iat", "1e308", false),
        ("iat", "null", false), ("nbf", "1800000060", true), ("nbf", "1800000061", false),
        ("nbf", "9223372036854775807", false), ("nbf", #""0""#, false), ("nbf", "1e308", false), ("nbf", "null", true),
        ("gen", "-1", false), ("gen", "1.5", false), ("gen", "9223372036854775807", true), ("gen", #""3""#, false),
        ("gen", "9223372036854775808", false), ("gen", "null", false),
    ])
    func `numbers are taken or refused`(name: String, value: String, isAccepted: Bool) async throws {
        #expect((try await read([name: value]) != nil) == isAccepted)
    }

    @Test(arguments: [
        nil, "null", #""""#, #"["https://auth.example.com/vici"]"#, #""https://auth.example.com/vici.evil""#,
        #""https://auth.example.com/vic""#, #""https://auth.example.com/vici/""#, #""HTTPS://auth.example.com/vici""#,
        #""https://auth.example.com/vici\u0000""#, #"{"iss":"https://auth.example.com/vici"}"#, "1",
    ])
    func `refuses this iss`(iss: String?) async throws {
        #expect(try await read(["iss": iss]) == nil)
    }

    @Test(arguments: [
        nil, "null", #""""#, #"["vici"]"#, #"["vici","other"]"#, #""viewvault""#, #""vici ""#, #""Vici""#,
        #""vic\u0131""#,
    ])
    func `refuses this aud`(aud: String?) async throws {
        #expect(try await read(["aud": aud]) == nil)
    }

    @Test func `compares bytes, not what Unicode takes for equal`() async throws {
        let tokens = try makeHMACTokens(issuer: "https://K.example")
        let kelvin = Forge.signed(payload: Forge.claims(["iss": "\"https://\u{212A}.example\""]))
        #expect(try await tokens.read(Secret(kelvin), at: start) == nil)
        let latin = Forge.signed(payload: Forge.claims(["iss": #""https://K.example""#]))
        #expect(try await tokens.read(Secret(latin), at: start) != nil)
    }

    @Test(arguments: [nil, "null", #""""#, #""refresh""#, #""reset""#, #""id""#, #""Access""#, #"["access"]"#])
    func `refuses a token for another purpose`(use: String?) async throws {
        #expect(try await read(["token_use": use]) == nil)
    }

    @Test(arguments: [nil, "null", #""""#, #""a b""#, #""../x""#, #""a\u0000b""#, "7", #"["session-1"]"#])
    func `refuses a session id that is none`(sid: String?) async throws {
        #expect(try await read(["sid": sid]) == nil)
    }

    @Test(arguments: ["", "null", "[]", "{", "{}", "\"text\"", "{\"exp\":", "\u{FEFF}{}", "1e999"])
    func `refuses a payload that is no set of claims`(payload: String) async throws {
        #expect(try await makeHMACTokens().read(Secret(Forge.signed(payload: payload)), at: start) == nil)
    }

    @Test func `the claims these tests change are acceptable as they are`() async throws {
        let tokenClaims = try #require(try await read([:]))
        #expect(tokenClaims.session.text == "session-1")
        #expect(tokenClaims.generation == 3)
        #expect(tokenClaims.expiresAt == start.addingTimeInterval(3600))
    }

    @Test func `tokens of an app with the same secret are another app's`() async throws {
        let token = try await makeHMACTokens(audience: "viewvault").issue(makeGrant())
        #expect(try await makeHMACTokens().read(token, at: start) == nil)
    }

    private func read(_ changes: [String: String?]) async throws -> AccessTokenClaims? {
        try await makeHMACTokens().read(Secret(Forge.signed(payload: Forge.claims(changes))), at: start)
    }
}
