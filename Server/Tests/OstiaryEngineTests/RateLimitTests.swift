import Foundation
@testable import OstiaryEngine
import Testing

@Suite struct RateLimitTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// One bucket, whose time is kept to the millisecond as the stores keep it.
    private final class Bucket {
        private let limit: RateLimit
        private var fullAt: Date?

        init(limit: RateLimit) { self.limit = limit }

        func attempt(at now: Date) -> Int? {
            switch limit.verdict(fullAt: fullAt, now: now) {
            case .allowed(let next):
                fullAt = Date(timeIntervalSince1970: (next.timeIntervalSince1970 * 1000).rounded() / 1000)
                return nil
            case .wait(let seconds): return seconds
            }
        }
    }

    @Test(arguments: [(10, 60), (7, 60), (9, 60), (11, 7), (1, 60), (5, 600), (120, 60), (1, 1), (3, 1), (37, 3600)])
    func `allows as many at once as it says, and not one more`(attempts: Int, seconds: Int) {
        let bucket = Bucket(limit: RateLimit(attempts: attempts, perSeconds: seconds))
        for _ in 0..<attempts { #expect(bucket.attempt(at: now) == nil) }
        #expect(bucket.attempt(at: now) == max(1, Int((Double(seconds) / Double(attempts)).rounded(.up))))
    }

    @Test(arguments: [(10, 60), (9, 60), (5, 600), (1, 60)])
    func `allows again after the wait that it told`(attempts: Int, seconds: Int) throws {
        let bucket = Bucket(limit: RateLimit(attempts: attempts, perSeconds: seconds))
        for _ in 0..<attempts { _ = bucket.attempt(at: now) }
        let wait = Double(try #require(bucket.attempt(at: now)))
        #expect(bucket.attempt(at: now.addingTimeInterval(wait)) == nil)
        #expect(bucket.attempt(at: now.addingTimeInterval(wait)) != nil)
    }

    @Test func `refuses without counting`() {
        let bucket = Bucket(limit: RateLimit(attempts: 2, perSeconds: 60))
        for _ in 0..<2 { _ = bucket.attempt(at: now) }
        for _ in 0..<1000 { #expect(bucket.attempt(at: now) == 30) }
    }

    @Test func `is full again after its time`() {
        let bucket = Bucket(limit: RateLimit(attempts: 4, perSeconds: 60))
        for _ in 0..<4 { _ = bucket.attempt(at: now) }
        for _ in 0..<4 { #expect(bucket.attempt(at: now.addingTimeInterval(60)) == nil) }
        #expect(bucket.attempt(at: now.addingTimeInterval(60)) != nil)
    }

    @Test(arguments: [-3600.0, -86_400, -1e9])
    func `makes nobody wait longer than its time when the clock jumps back`(jump: Double) throws {
        let bucket = Bucket(limit: RateLimit(attempts: 10, perSeconds: 60))
        for _ in 0..<10 { _ = bucket.attempt(at: now) }
        let wait = try #require(bucket.attempt(at: now.addingTimeInterval(jump)))
        #expect(wait <= 60)
    }

    @Test func `forgets when the clock jumps ahead`() {
        let bucket = Bucket(limit: RateLimit(attempts: 1, perSeconds: 60))
        #expect(bucket.attempt(at: now) == nil)
        #expect(bucket.attempt(at: now.addingTimeInterval(86_400)) == nil)
    }

    @Test func `takes no limit for one attempt a second`() {
        #expect(RateLimit(attempts: 0, perSeconds: -5) == RateLimit(attempts: 1, perSeconds: 1))
    }

    @Test func `never allows more in any window than the bucket and its refill hold`() {
        var generator = SplitMix(seed: 5)
        for _ in 0..<200 {
            let limit = RateLimit(
                attempts: .random(in: 1...20, using: &generator), perSeconds: .random(in: 1...120, using: &generator))
            let bucket = Bucket(limit: limit)
            var allowed: [Double] = []
            var time = 0.0
            for _ in 0..<200 {
                time += .random(in: 0...5, using: &generator)
                if bucket.attempt(at: now.addingTimeInterval(time)) == nil { allowed.append(time) }
            }
            for (index, start) in allowed.enumerated() {
                let within = allowed[index...].count { $0 - start < Double(limit.seconds) }
                #expect(within <= 2 * limit.attempts)
            }
        }
    }
}

@Suite struct VolatileAttemptsTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let limit = RateLimit(attempts: 1, perSeconds: 60)

    @Test func `counts against every bucket or against none`() {
        let attempts = VolatileAttempts()
        let one = AttemptBucket(key: "one", limit: limit)
        let two = AttemptBucket(key: "two", limit: RateLimit(attempts: 1, perSeconds: 10))
        #expect(attempts.count([one], at: now) == nil)
        #expect(attempts.count([two, one], at: now) == 60)
        #expect(attempts.count([two], at: now) == nil)
        #expect(attempts.count([one, two], at: now) == 60)
    }

    @Test func `forgets what is forgiven`() {
        let attempts = VolatileAttempts()
        let bucket = AttemptBucket(key: "one", limit: limit)
        #expect(attempts.count([bucket], at: now) == nil)
        attempts.forgive(["one"])
        #expect(attempts.count([bucket], at: now) == nil)
    }

    @Test func `keeps no more buckets than it is told, and drops the full ones first`() {
        let attempts = VolatileAttempts(capacity: 100)
        let kept = AttemptBucket(key: "kept", limit: RateLimit(attempts: 1, perSeconds: 86_400))
        #expect(attempts.count([kept], at: now) == nil)
        for number in 0..<1000 {
            // Each is full again before the next comes.
            let time = now.addingTimeInterval(Double(number) * 61)
            #expect(attempts.count([AttemptBucket(key: "\(number)", limit: limit)], at: time) == nil)
            #expect(attempts.bucketCount <= 100)
        }
        #expect(attempts.count([kept], at: now.addingTimeInterval(61_000)) != nil)
    }

    @Test func `stays bounded when no bucket is full again`() {
        let attempts = VolatileAttempts(capacity: 100)
        for number in 0..<1000 {
            _ = attempts.count([AttemptBucket(key: "\(number)", limit: limit)], at: now)
            #expect(attempts.bucketCount <= 100)
        }
    }
}

@Suite struct IPAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:DB8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"), ("2001:0db8:0001:0002:0::1", "2001:db8:1:2::/64"),
        ("::1", "::/64"),
    ])
    func `counts IPv6 by the /64 and has one spelling`(text: String, network: String) throws {
        #expect(try #require(IPAddress(text)).network == network)
    }

    @Test(arguments: ["", "a", "192.0.2", "192.0.2.256", "[::1]", "::1%eth0", "192.0.2.1:80", " 192.0.2.1", "::1\0"])
    func `takes nothing else for an address`(text: String) {
        #expect(IPAddress(text) == nil)
    }
}
