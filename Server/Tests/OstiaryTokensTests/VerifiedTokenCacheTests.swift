import Foundation
import OstiaryEngine
import Testing

@testable import OstiaryTokens

@Suite struct VerifiedTokenCacheTests {
    @Test func `remembers what was put in, and forgets what is taken out`() throws {
        let cache = VerifiedTokenCache(capacity: 10)
        cache.insert(try entry(1), for: TokenDigest("a"), at: start)
        #expect(cache.entry(for: TokenDigest("a"), at: start)?.tokenClaims.generation == 1)
        #expect(cache.entry(for: TokenDigest("b"), at: start) == nil)
        cache.remove(TokenDigest("a"))
        #expect(cache.entry(for: TokenDigest("a"), at: start) == nil)
    }

    @Test func `never holds more than its capacity`() throws {
        let cache = VerifiedTokenCache(capacity: 100)
        for number in 0..<10_000 {
            cache.insert(try entry(number), for: TokenDigest("\(number)"), at: start)
            #expect(cache.count <= 100)
        }
        #expect(cache.count >= 50)
    }

    @Test func `keeps what is in use`() throws {
        let cache = VerifiedTokenCache(capacity: 100)
        cache.insert(try entry(-1), for: TokenDigest("in use"), at: start)
        for number in 0..<10_000 {
            cache.insert(try entry(number), for: TokenDigest("\(number)"), at: start)
            #expect(cache.entry(for: TokenDigest("in use"), at: start) != nil)
        }
    }

    @Test func `holds no token for much longer than it is valid`() throws {
        let cache = VerifiedTokenCache(capacity: 10_000)
        // A thousand tokens, one a second, each valid for a minute.
        for number in 0..<1000 {
            let now = start.addingTimeInterval(TimeInterval(number))
            cache.insert(
                try entry(number, expiresAt: now.addingTimeInterval(60)), for: TokenDigest("\(number)"), at: now)
            #expect(cache.count <= 2 * 61)
            #expect(cache.entry(for: TokenDigest("\(number)"), at: now) != nil)
        }
    }

    @Test func `forgets tokens that are not in use, and keeps those that are`() throws {
        let cache = VerifiedTokenCache(capacity: 10_000)
        let end = start.addingTimeInterval(100_000)
        cache.insert(try entry(-1, expiresAt: end), for: TokenDigest("in use"), at: start)
        for second in 0..<3000 {
            let now = start.addingTimeInterval(TimeInterval(second))
            cache.insert(try entry(second, expiresAt: end), for: TokenDigest("\(second)"), at: now)
            if second % 60 == 0 { #expect(cache.entry(for: TokenDigest("in use"), at: now) != nil) }
            #expect(cache.count <= 2 * 302)
        }
    }

    private func entry(_ generation: Int, expiresAt: Date = start.addingTimeInterval(60)) throws
        -> VerifiedTokenCache.Entry
    {
        VerifiedTokenCache.Entry(
            tokenClaims: AccessTokenClaims(
                subject: "7", session: try makeSession(), generation: generation, expiresAt: expiresAt), kid: nil)
    }
}
