import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The refresh tokens of apps without JWTs. The server's tests check them together with JWT refresh tokens.
@Suite struct OpaqueRefreshTokensTests {
    private func tokens(key: UInt8 = 7, app: String = "vici") throws -> OpaqueRefreshTokens {
        let ring = KeyRing(master: SymmetricKey(data: Data(repeating: key, count: 32)))
        return OpaqueRefreshTokens(app: try AppName(app), keyRing: ring)
    }

    private func token(of tokens: OpaqueRefreshTokens) throws -> Secret<String> {
        let issuedAt = Date(timeIntervalSince1970: 1_800_000_000)
        return tokens.write(
            RefreshTokenClaims(
                session: try SessionID("5f0c0f1e-6a55-4b1e-9d0c-0d6a2b9f4e11"), generation: 7,
                account: try AccountID("42"), issuedAt: issuedAt, expiresAt: issuedAt.addingTimeInterval(3600)))
    }

    @Test func `a token carries its session and generation`() throws {
        let content = try #require(try tokens().read(token(of: tokens())))
        let (session, generation) = (content.session, content.generation)
        #expect(session == (try SessionID("5f0c0f1e-6a55-4b1e-9d0c-0d6a2b9f4e11")))
        #expect(generation == 7)
    }

    @Test func `refuses a token with any character replaced`() throws {
        let text = Array(try token(of: tokens()).reveal().utf8)
        for position in text.indices {
            var altered = text
            altered[position] = altered[position] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(try tokens().read(Secret(String(decoding: altered, as: UTF8.self))) == nil, "\(position)")
        }
    }

    @Test func `refuses a token of another app or another key`() throws {
        #expect(try tokens(app: "clarity").read(token(of: tokens())) == nil)
        #expect(try tokens(key: 8).read(token(of: tokens())) == nil)
    }
}
