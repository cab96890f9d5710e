import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryTokens

/// Tokens with a duplicate name and a valid signature: two readers could each take a different value.
@Suite struct DuplicateNameTests {
    @Test(arguments: [
        #"{"alg":"HS256","alg":"HS256","typ":"at+jwt"}"#, #"{"alg":"none","alg":"HS256","typ":"at+jwt"}"#,
        #"{"alg":"HS256","typ":"JWT","typ":"at+jwt"}"#, #"{"alg":"HS256","\u0061lg":"none","typ":"at+jwt"}"#,
    ])
    func `PT-16: refuses an access token whose header has a name twice`(header: String) async throws {
        let token = Forge.signed(payload: Forge.claims(), header: header)
        #expect(try await makeHMACTokens().read(Secret(token), at: start) == nil)
    }

    @Test(arguments: [
        #""sub":"42""#, #""sub":"1""#, #""exp":1900000000"#, #""sid":"session-2""#, #""s\u0069d":"session-2""#,
    ])
    func `PT-16: refuses an access token whose claims have a name twice`(claim: String) async throws {
        let claims = Forge.claims().dropLast()
        #expect(try await makeHMACTokens().read(Secret(Forge.signed(payload: "\(claims)}")), at: start) != nil)
        #expect(try await makeHMACTokens().read(Secret(Forge.signed(payload: "\(claims),\(claim)}")), at: start) == nil)
    }

    @Test func `PT-16: refuses a refresh token whose claims have a name twice`() throws {
        let tokens = try JWTRefreshTokens(issuer: issuer, audience: audience, secret: Secret(hmacSecret))
        let claims =
            #"{"iss":"\#(issuer)","aud":"\#(audience)","sub":"42","sid":"session-1","gen":1,"#
            + #""iat":1800000000,"exp":1900000000,"token_use":"refresh""#
        let header = #"{"alg":"HS256","typ":"refresh+jwt"}"#
        #expect(tokens.read(Secret(Forge.signed(payload: "\(claims)}", header: header))) != nil)
        #expect(tokens.read(Secret(Forge.signed(payload: #"\#(claims),"gen":2}"#, header: header))) == nil)
    }

    @Test func `PT-16: refuses an ID token as a hint whose claims have a name twice`() async throws {
        let keys = SigningKeys(
            app: try AppName("idp-id-tokens"), algorithm: .rs256, store: SigningKeysInMemory(), keyRing: makeKeyRing(),
            tokenSeconds: 3600)
        let tokens = IDTokens(issuer: issuer, keys: keys)
        let key = try await keys.current(at: start)
        let header = #"{"alg":"RS256","kid":"\#(key.webKey.kid)","typ":"JWT"}"#
        let claims =
            #"{"iss":"\#(issuer)","sub":"ada","aud":"client","sid":"session-1","iat":1800000000,"#
            + #""exp":1800003600,"auth_time":1800000000,"at_hash":"x""#
        func hint(_ payload: String) async throws -> IDTokenHint? {
            let token = try Forge.token(header: header, payload: payload) { try key.token.sign($0) }
            return try await tokens.read(hint: Secret(token), at: start)
        }
        #expect(try await hint("\(claims)}")?.subject == "ada")
        #expect(try await hint(#"\#(claims),"sub":"eve"}"#) == nil)
    }

    @Test func `PT-01: refuses a header with marks in a name or a value`() async throws {
        let marks = "a" + String(repeating: "\u{315}\u{300}", count: 1000)
        for header in [#"{"\#(marks)":"x","alg":"HS256","typ":"at+jwt"}"#, #"{"alg":"\#(marks)","typ":"at+jwt"}"#] {
            let token = Forge.signed(payload: Forge.claims(), header: header)
            #expect(CompactToken(token) == nil)
            #expect(try await makeHMACTokens().read(Secret(token), at: start) == nil)
        }
    }
}
