import Foundation
import JWTKit
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryTokens

@Suite struct AccessTokenTests {
    @Test func `what is issued is read, with HS256`() async throws {
        let tokens = try makeHMACTokens()
        let token = try await tokens.issue(makeGrant())
        let expected = AccessTokenClaims(
            subject: "42", session: try makeSession(), generation: 3, expiresAt: start.addingTimeInterval(3600))
        #expect(try await tokens.read(token, at: start) == expected)
        // The second time from the cache.
        #expect(try await tokens.read(token, at: start) == expected)
    }

    @Test func `what is issued is read, with ES256`() async throws {
        let tokens = try await Node().tokens
        let token = try await tokens.issue(makeGrant())
        let expected = AccessTokenClaims(
            subject: "42", session: try makeSession(), generation: 3, expiresAt: start.addingTimeInterval(3600))
        #expect(try await tokens.read(token, at: start) == expected)
        #expect(try await tokens.read(token, at: start) == expected)
    }

    @Test func `a token says what the contract asks for and nothing else`() async throws {
        let token = try await makeHMACTokens().issue(makeGrant()).reveal()
        let parts = segments(token)
        #expect(try json(parts[0]).mapValues { "\($0)" } == ["alg": "HS256", "typ": "at+jwt"])
        let claims = try json(parts[1])
        #expect(
            claims.keys.sorted() == ["aud", "exp", "gen", "iat", "iss", "jti", "sid", "sub", "token_use"])
        #expect(claims["sub"] as? String == "42")
        #expect(claims["iat"] as? Int == 1_800_000_000)
        #expect(claims["exp"] as? Int == 1_800_003_600)
    }

    @Test func `a token has the claims of a hook, and is read as any other`() async throws {
        var grant = try makeGrant()
        grant.furtherClaims = try TokenClaims(
            answer: Array(#"{"claims": {"plan": "pro", "teams": [{"id": 7}, null, 1.5, true]}}"#.utf8), besides: [])
        let tokens = try makeHMACTokens()
        let token = try await tokens.issue(grant)
        let claims = try json(segments(token.reveal())[1])
        #expect(claims["plan"] as? String == "pro" && (claims["teams"] as? [Any])?.count == 4)
        #expect(claims["sub"] as? String == "42" && claims["gen"] as? Int == 3)
        #expect(try await tokens.read(token, at: start)?.subject == "42")
    }

    @Test func `no further claim replaces one of the server's`() throws {
        let own = try AccessClaims(makeGrant(), issuer: issuer, audience: audience, id: [1])
        let further: [String: ClaimValue] = ["sub": .string("43"), "gen": .integer(9), "exp": .integer(1), "a": .null]
        let claims = try json(Base64URL.encode(JSON.object(own.members(besides: further)).bytes))
        #expect(
            claims["sub"] as? String == "42" && claims["gen"] as? Int == 3 && claims["exp"] as? Int == 1_800_003_600)
        #expect(claims["a"] is NSNull)
    }

    @Test func `a token tells the profile where it is granted`() async throws {
        var grant = try makeGrant(subject: "auth0|google-oauth2|1")
        grant.authProvider = "auth0"
        grant.email = "a@example.com"
        grant.name = "Ä/B"
        let claims = try json(segments(try await makeHMACTokens().issue(grant).reveal())[1])
        #expect(claims["sub"] as? String == "auth0|google-oauth2|1")
        #expect(claims["auth_provider"] as? String == "auth0")
        #expect(claims["email"] as? String == "a@example.com")
        #expect(claims["name"] as? String == "Ä/B")
    }

    @Test func `a token names the party that acts for its subject`() async throws {
        var grant = try makeGrant()
        grant.actor = "key:k1"
        let tokens = try makeHMACTokens()
        let token = try await tokens.issue(grant)
        let claims = try json(segments(token.reveal())[1])
        #expect(claims["act"] as? [String: String] == ["sub": "key:k1"])
        #expect(claims["sub"] as? String == "42")
        #expect(try await tokens.read(token, at: start)?.subject == "42")
    }

    @Test func `a token tells the authentication where it is granted`() async throws {
        var grant = try makeGrant()
        grant.authentication = SessionAuthentication(
            level: .aal2, time: start.addingTimeInterval(-0.5), methods: ["mfa", "otp", "pwd"])
        let claims = try json(segments(try await makeHMACTokens().issue(grant).reveal())[1])
        #expect(claims["acr"] as? String == "aal2")
        #expect(claims["amr"] as? [String] == ["mfa", "otp", "pwd"])
        #expect(claims["auth_time"] as? Int == 1_799_999_999)
        // A sign-in at an identity provider has no method of RFC 8176.
        grant.authentication?.methods = []
        let federated = try json(segments(try await makeHMACTokens().issue(grant).reveal())[1])
        #expect(federated["acr"] as? String == "aal2" && federated["amr"] == nil)
    }

    @Test func `times are whole seconds, rounded down`() async throws {
        let token = try await makeHMACTokens().issue(makeGrant(issuedAt: start.addingTimeInterval(0.9))).reveal()
        #expect(
            String(decoding: Base64URL.decode(segments(token)[1].utf8) ?? [], as: UTF8.self).contains(
                #""iat":1800000000,"#))
    }

    @Test(arguments: [Double.infinity, .nan, 1e300, -1e300]) func `a time that no token can say is refused`(
        seconds: Double
    ) async throws {
        let tokens = try makeHMACTokens()
        await #expect(throws: TokenError.timeOutOfRange) {
            try await tokens.issue(makeGrant(issuedAt: Date(timeIntervalSince1970: seconds)))
        }
        let token = try await tokens.issue(makeGrant())
        _ = try await tokens.read(token, at: Date(timeIntervalSince1970: seconds))
    }

    @Test func `a token too long to be read is not issued`() async throws {
        await #expect(throws: TokenError.tokenTooLong) {
            try await makeHMACTokens().issue(makeGrant(subject: String(repeating: "s", count: 8000)))
        }
    }

    @Test func `another implementation verifies an ES256 token by the published keys`() async throws {
        let node = try await Node()
        let token = try await node.tokens.issue(makeGrant()).reveal()
        let document = String(decoding: try #require(try await node.tokens.publicKeySet(at: start)), as: UTF8.self)
        let claims = try await JWTKeyCollection().add(jwksJSON: document).verify(token, as: PeerClaims.self)
        #expect(claims == PeerClaims(iss: issuer, sub: "42", gen: 3))
    }

    @Test func `another implementation verifies an HS256 token by the secret`() async throws {
        let token = try await makeHMACTokens().issue(makeGrant()).reveal()
        let keys = await JWTKeyCollection().add(hmac: HMACKey(from: hmacSecret), digestAlgorithm: .sha256)
        #expect(try await keys.verify(token, as: PeerClaims.self) == PeerClaims(iss: issuer, sub: "42", gen: 3))
    }

    @Test func `twenty thousand tokens have as many ids, without a pattern`() async throws {
        let tokens = try makeHMACTokens()
        let grant = try makeGrant()
        var ids: Set<[UInt8]> = []
        var counts = [Int](repeating: 0, count: 16)
        for _ in 0..<20_000 {
            let token = try await tokens.issue(grant).reveal()
            let claims = try #require(ClaimSet(Base64URL.decode(segments(token)[1].utf8) ?? []))
            let id = try #require(Base64URL.decode(try claims.text("jti").utf8))
            #expect(id.count == 16)
            ids.insert(id)
            for byte in id {
                counts[Int(byte >> 4)] += 1
                counts[Int(byte & 15)] += 1
            }
        }
        #expect(ids.count == 20_000)
        let expected = 20_000.0 * 32 / 16
        let chiSquared = counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        // 15 degrees of freedom: chance alone exceeds this once in a million runs.
        #expect(chiSquared < 56.5)
    }
}

private struct PeerClaims: JWTPayload, Equatable {
    var iss: String
    var sub: String
    var gen: Int

    func verify(using algorithm: some JWTAlgorithm) async throws {}
}
