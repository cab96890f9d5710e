import Foundation
@testable import OstiaryEngine
import Testing

@Suite struct InMemoryRateLimiterTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let limit = RateLimit(attempts: 1, perSeconds: 60)

    @Test func `counts against every bucket or against none`() {
        let attempts = InMemoryRateLimiter()
        let one = AttemptBucket(key: "one", limit: limit)
        let two = AttemptBucket(key: "two", limit: RateLimit(attempts: 1, perSeconds: 10))
        #expect(attempts.count([one], at: now) == nil)
        #expect(attempts.count([two, one], at: now) == 60)
        #expect(attempts.count([two], at: now) == nil)
        #expect(attempts.count([one, two], at: now) == 60)
    }

    @Test func `forgets what is forgiven`() {
        let attempts = InMemoryRateLimiter()
        let bucket = AttemptBucket(key: "one", limit: limit)
        #expect(attempts.count([bucket], at: now) == nil)
        attempts.forgive(["one"])
        #expect(attempts.count([bucket], at: now) == nil)
    }

    @Test func `gives back one attempt and no more`() {
        let attempts = InMemoryRateLimiter()
        let bucket = AttemptBucket(key: "one", limit: RateLimit(attempts: 2, perSeconds: 60))
        for _ in 0..<10 {
            #expect(attempts.count([bucket], at: now) == nil)
            attempts.refund([bucket])
        }
        attempts.refund([AttemptBucket(key: "two", limit: limit)])
        #expect(attempts.bucketCount == 1)
        #expect(attempts.count([bucket], at: now) == nil)
        #expect(attempts.count([bucket], at: now) == nil)
        attempts.refund([bucket])
        #expect(attempts.count([bucket], at: now) == nil)
        #expect(attempts.count([bucket], at: now) == 30)
    }

    @Test func `keeps no more buckets than it is told, and drops the full ones first`() {
        let attempts = InMemoryRateLimiter(capacity: 100)
        let kept = AttemptBucket(key: "kept", limit: RateLimit(attempts: 1, perSeconds: 86_400))
        #expect(attempts.count([kept], at: now) == nil)
        for number in 0..<1000 {
            // Each bucket is full again before the next is counted.
            let time = now.addingTimeInterval(Double(number) * 61)
            #expect(attempts.count([AttemptBucket(key: "\(number)", limit: limit)], at: time) == nil)
            #expect(attempts.bucketCount <= 100)
        }
        #expect(attempts.count([kept], at: now.addingTimeInterval(61_000)) != nil)
    }

    @Test func `keeps at most twice as many buckets as are not full again`() {
        let attempts = InMemoryRateLimiter(capacity: 100_000, minimumLimit: 10)
        for number in 0..<10_000 {
            // Sixty are not full again at any time.
            let time = now.addingTimeInterval(Double(number))
            #expect(attempts.count([AttemptBucket(key: "\(number)", limit: limit)], at: time) == nil)
            #expect(attempts.bucketCount <= 120)
        }
        let last = AttemptBucket(key: "9999", limit: limit)
        #expect(attempts.count([last], at: now.addingTimeInterval(10_000)) != nil, "one that is not full again is kept")
    }

    @Test func `deletes all buckets where deleting the full ones makes little room`() {
        let attempts = InMemoryRateLimiter(capacity: 800)
        for number in 0..<750 { _ = attempts.count([AttemptBucket(key: "\(number)", limit: limit)], at: now) }
        let short = RateLimit(attempts: 1, perSeconds: 1)
        for number in 750..<800 { _ = attempts.count([AttemptBucket(key: "\(number)", limit: short)], at: now) }
        let next = AttemptBucket(key: "800", limit: limit)
        #expect(attempts.count([next], at: now.addingTimeInterval(2)) == nil)
        #expect(attempts.bucketCount == 1)
    }

    @Test func `stays bounded when no bucket is full again`() {
        let attempts = InMemoryRateLimiter(capacity: 100)
        for number in 0..<1000 {
            _ = attempts.count([AttemptBucket(key: "\(number)", limit: limit)], at: now)
            #expect(attempts.bucketCount <= 100)
        }
    }
}
