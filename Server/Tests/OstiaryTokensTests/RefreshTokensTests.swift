import Crypto
import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryTokens

@Suite struct RefreshTokensTests {
    static let kinds = ["opaque", "jwt"]

    @Test(arguments: kinds) func `what is written is read`(kind: String) throws {
        let tokens = try make(kind)
        let content = try #require(tokens.read(try tokens.write(tokenClaims(generation: 7))))
        #expect(content.session == (try makeSession()))
        #expect(content.generation == 7)
    }

    @Test(arguments: kinds) func `the same token claims give the same bytes, on any node`(kind: String) throws {
        let first = try make(kind).write(tokenClaims())
        for _ in 0..<100 {
            #expect(try make(kind).write(tokenClaims()) == first)
        }
    }

    /// HMAC with a key from HKDF, both computed by another implementation.
    @Test func `an opaque token is these bytes`() throws {
        let expected =
            "BteCmOqVXeWrt-j7JXVD5wTxSVsQcGBx_CgFR9UF4KMAAAAAAAAAADVmMGMwZjFlLTZhNTUtNGIxZS05ZDBjLTBkNm"
            + "EyYjlmNGUxMQ"
        #expect(try make("opaque").write(tokenClaims()).reveal() == expected)
    }

    /// Written by another implementation.
    @Test func `a JWT is these bytes`() throws {
        let expected =
            "eyJhbGciOiJIUzI1NiIsInR5cCI6InJlZnJlc2grand0In0."
            + "eyJhdWQiOiJ2aWNpIiwiZXhwIjoxODAwNjA0ODAwLCJnZW4iOjAsImlhdCI6MTgwMDAwMDAwMCwiaXNzIjoiaHR0cH"
            + "M6Ly9hdXRoLmV4YW1wbGUuY29tL3ZpY2kiLCJzaWQiOiI1ZjBjMGYxZS02YTU1LTRiMWUtOWQwYy0wZDZhMmI5ZjRl"
            + "MTEiLCJzdWIiOiI0MiIsInRva2VuX3VzZSI6InJlZnJlc2gifQ."
            + "OGbJADtDKBqgsd_EI4J2rdEvfjISiTvNYSGVsMABypk"
        #expect(try make("jwt").write(tokenClaims()).reveal() == expected)
    }

    @Test(arguments: kinds) func `each session and generation has a token of its own`(kind: String) throws {
        let tokens = try make(kind)
        var seen: Set<String> = []
        for generation in 0..<200 {
            for session in 0..<100 {
                seen.insert(try tokens.write(tokenClaims(generation: generation, session: "s\(session)")).reveal())
            }
        }
        #expect(seen.count == 20_000)
    }

    @Test func `no two opaque tokens begin alike`() throws {
        let tokens = try make("opaque")
        var counts = [Int](repeating: 0, count: 64)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for generation in 0..<20_000 {
            let first = try #require(try tokens.write(tokenClaims(generation: generation)).reveal().utf8.first)
            counts[try #require(alphabet.firstIndex(of: first))] += 1
        }
        let expected = 20_000.0 / 64
        let chiSquared = counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        // 63 degrees of freedom, p = 0.001.
        #expect(chiSquared < 103.4)
    }

    @Test(arguments: kinds) func `refuses any other character anywhere`(kind: String) throws {
        let tokens = try make(kind)
        let token = Array(try tokens.write(tokenClaims()).reveal().utf8)
        for position in token.indices {
            for change: UInt8 in [1, 2, 4, 8, 0x10, 0x20, 0x40] {
                var altered = token
                altered[position] ^= change
                #expect(tokens.read(Secret(String(decoding: altered, as: UTF8.self))) == nil, "\(position) ^ \(change)")
            }
        }
    }

    @Test(arguments: kinds) func `refuses longer and shorter texts`(kind: String) throws {
        let tokens = try make(kind)
        let token = try tokens.write(tokenClaims()).reveal()
        for count in 0..<token.utf8.count {
            #expect(tokens.read(Secret(String(token.prefix(count)))) == nil)
        }
        for more in ["A", "AA", "AAAA", "=", " ", "\n", ".", "\0", String(repeating: "A", count: 1_048_576)] {
            #expect(tokens.read(Secret(token + more)) == nil)
            #expect(tokens.read(Secret(more + token)) == nil)
        }
    }

    @Test(arguments: kinds) func `refuses tokens of another app`(kind: String) throws {
        let token = try make(kind, app: "clarity").write(tokenClaims())
        #expect(try make(kind, app: "vici").read(token) == nil)
    }

    @Test(arguments: kinds) func `refuses tokens made with another key`(kind: String) throws {
        let token = try make(kind, key: 8).write(tokenClaims())
        #expect(try make(kind, key: 7).read(token) == nil)
    }

    @Test func `accepts tokens of an earlier secret while it is listed, and signs with the newest`() async throws {
        let (old, new) = (
            "the old secret, which has more than 32 bytes", "the new secret, which has more than 32 bytes"
        )
        func refresh(_ secrets: String...) throws -> JWTRefreshTokens {
            try JWTRefreshTokens(
                issuer: issuer, audience: audience, secret: Secret(secrets[0]),
                earlier: secrets.dropFirst().map { Secret($0) })
        }
        func access(_ secrets: String...) throws -> JWTAccessTokens {
            try JWTAccessTokens(
                issuer: issuer, audience: audience, secret: Secret(secrets[0]),
                earlier: secrets.dropFirst().map { Secret($0) }, randomBytes: SystemDependencies.system.randomBytes)
        }
        let (oldRefresh, newRefresh) = (
            try refresh(old).write(tokenClaims()), try refresh(new, old).write(tokenClaims())
        )
        #expect(try refresh(new, old).read(oldRefresh) != nil && refresh(new).read(oldRefresh) == nil)
        #expect(try refresh(new).read(newRefresh) != nil && refresh(old).read(newRefresh) == nil)
        let oldAccess = try await access(old).issue(makeGrant())
        let newAccess = try await access(new, old).issue(makeGrant())
        #expect(try await access(new, old).read(oldAccess, at: start) != nil)
        #expect(try await access(new).read(oldAccess, at: start) == nil)
        #expect(try await access(new, old).read(newAccess, at: start) != nil)
        #expect(try await access(old).read(newAccess, at: start) == nil)
        #expect(throws: TokenError.secretTooShort(minimumBytes: 32)) { try refresh(new, "short") }
    }

    @Test func `an access token is no refresh token and a refresh token no access token`() async throws {
        // Even if one secret is configured for both.
        let access = try makeHMACTokens()
        let refresh = try JWTRefreshTokens(issuer: issuer, audience: audience, secret: Secret(hmacSecret))
        let accessToken = try await access.issue(makeGrant())
        #expect(refresh.read(accessToken) == nil)
        let refreshToken = try refresh.write(tokenClaims())
        #expect(try await access.read(refreshToken, at: start) == nil)
        let opaque = try make("opaque")
        #expect(opaque.read(accessToken) == nil)
        #expect(try await access.read(try opaque.write(tokenClaims()), at: start) == nil)
    }

    @Test func `the type alone and the use alone tell the two kinds apart`() async throws {
        let access = try makeHMACTokens()
        let refresh = try JWTRefreshTokens(issuer: issuer, audience: audience, secret: Secret(hmacSecret))
        let refreshHeader = #"{"alg":"HS256","typ":"refresh+jwt"}"#
        let accessClaims = Forge.claims()
        let refreshClaims = Forge.claims(["token_use": #""refresh""#])
        #expect(try await access.read(Secret(Forge.signed(payload: refreshClaims)), at: start) == nil)
        #expect(
            try await access.read(Secret(Forge.signed(payload: accessClaims, header: refreshHeader)), at: start) == nil)
        #expect(refresh.read(Secret(Forge.signed(payload: accessClaims, header: refreshHeader))) == nil)
        #expect(refresh.read(Secret(Forge.signed(payload: refreshClaims))) == nil)
        #expect(refresh.read(Secret(Forge.signed(payload: refreshClaims, header: refreshHeader))) != nil)
    }

    @Test func `a refresh JWT says nothing about its expiry when it is read`() throws {
        let refresh = try JWTRefreshTokens(issuer: issuer, audience: audience, secret: Secret(hmacSecret))
        let claims = Forge.claims(["token_use": #""refresh""#, "exp": "1"])
        #expect(
            refresh.read(Secret(Forge.signed(payload: claims, header: #"{"alg":"HS256","typ":"refresh+jwt"}"#))) != nil)
    }

    private func make(_ kind: String, app: String = "vici", key: UInt8 = 7) throws -> any RefreshTokens {
        switch kind {
        case "jwt":
            try JWTRefreshTokens(
                issuer: issuer, audience: app, secret: Secret("a refresh secret of 32 bytes or more \(key)"))
        default: OpaqueRefreshTokens(app: try AppName(app), keyRing: makeKeyRing(key))
        }
    }

    private func tokenClaims(generation: Int = 0, session: String = "5f0c0f1e-6a55-4b1e-9d0c-0d6a2b9f4e11") throws
        -> RefreshTokenClaims
    {
        RefreshTokenClaims(
            session: try makeSession(session), generation: generation, account: try AccountID("42"),
            issuedAt: start.addingTimeInterval(0.25), expiresAt: start.addingTimeInterval(604_800.25))
    }
}
