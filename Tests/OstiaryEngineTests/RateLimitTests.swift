import Foundation
import OstiaryTesting
@testable import OstiaryEngine
import Testing

@Suite struct RateLimitTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// One bucket whose time is kept in whole milliseconds, as in the stores.
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
    func `allows attempts again soon after the clock jumped back`(jump: Double) throws {
        let bucket = Bucket(limit: RateLimit(attempts: 10, perSeconds: 60))
        for _ in 0..<10 { _ = bucket.attempt(at: now) }
        let later = now.addingTimeInterval(jump)
        for _ in 0..<10 { #expect(bucket.attempt(at: later) == nil) }
        #expect(bucket.attempt(at: later) == 6)
        #expect(bucket.attempt(at: later.addingTimeInterval(6)) == nil)
    }

    @Test(arguments: [0.1, 5, 59])
    func `a node whose clock is behind allows no more attempts, and refuses no longer than it is behind`(skew: Double) {
        let bucket = Bucket(limit: RateLimit(attempts: 10, perSeconds: 60))
        for _ in 0..<10 { _ = bucket.attempt(at: now) }
        #expect(bucket.attempt(at: now.addingTimeInterval(-skew)) == 6)
        #expect(bucket.attempt(at: now.addingTimeInterval(6)) == nil)
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
        var generator = SeededRandom(seed: 5)
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
