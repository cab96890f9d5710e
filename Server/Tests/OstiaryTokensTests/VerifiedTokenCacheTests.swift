import Foundation
import OstiaryEngine
import Testing

@testable import OstiaryTokens

@Suite struct VerifiedTokenCacheTests {
    @Test func `remembers what was put in, and forgets what is taken out`() throws {
        let cache = VerifiedTokenCache(capacity: 10)
        cache.insert(try entry(1), for: TokenDigest("a"))
        #expect(cache.entry(for: TokenDigest("a"))?.tokenClaims.generation == 1)
        #expect(cache.entry(for: TokenDigest("b")) == nil)
        cache.remove(TokenDigest("a"))
        #expect(cache.entry(for: TokenDigest("a")) == nil)
    }

    @Test func `never holds more than its capacity`() throws {
        let cache = VerifiedTokenCache(capacity: 100)
        for number in 0..<10_000 {
            cache.insert(try entry(number), for: TokenDigest("\(number)"))
            #expect(cache.count <= 100)
        }
        #expect(cache.count >= 50)
    }

    @Test func `keeps what is in use`() throws {
        let cache = VerifiedTokenCache(capacity: 100)
        cache.insert(try entry(-1), for: TokenDigest("in use"))
        for number in 0..<10_000 {
            cache.insert(try entry(number), for: TokenDigest("\(number)"))
            #expect(cache.entry(for: TokenDigest("in use")) != nil)
        }
    }

    private func entry(_ generation: Int) throws -> VerifiedTokenCache.Entry {
        VerifiedTokenCache.Entry(
            tokenClaims: AccessTokenClaims(
                subject: "7", session: try makeSession(), generation: generation, expiresAt: start), kid: nil)
    }
}
