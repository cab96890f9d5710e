import OstiaryCore
import Testing

@testable import OstiaryIdentities

@Suite struct BcryptAdmissionTests {
    private static let hash = 1 << 10
    private let start = ContinuousClock.now

    private func admission(threads: Int = 2, limit: Int = 10_000) -> BcryptAdmission {
        BcryptAdmission(threads: threads, limit: limit, longestWait: .seconds(2))
    }

    /// Adds jobs until one is refused; returns the number of the others.
    private func fill(_ admission: inout BcryptAdmission, rounds: Int = hash) -> Int {
        var count = 0
        while count < 20_000, admission.admit(rounds: rounds, oldest: start, at: start) { count += 1 }
        return count
    }

    @Test func `accepts two seconds of jobs at the assumed throughput before anything was measured`() {
        var admission = admission()
        #expect(fill(&admission) == 65)
        #expect(admission.expectedWait > .seconds(2) && admission.expectedWait < .seconds(2.1))
    }

    @Test func `accepts fewer jobs of a higher cost, and one per thread whatever it costs`() {
        var costly = admission()
        #expect(fill(&costly, rounds: 1 << 12) == 17)
        var costliest = admission()
        #expect(fill(&costliest, rounds: 1 << 16) == 2)
    }

    @Test func `never holds more jobs than the limit`() {
        var admission = admission(limit: 3)
        #expect(fill(&admission, rounds: 0) == 5)
    }

    @Test(arguments: [4.0, 40, 400]) func `follows the throughput that it measures while jobs wait`(perSecond: Double) {
        var admission = admission()
        _ = fill(&admission)
        var now = start
        for _ in 0..<1_500 {
            now += .seconds(1 / perSecond)
            admission.finish(rounds: Self.hash, isSaturated: true, at: now)
            // Each finished job is replaced, so that the pool stays busy.
            _ = admission.admit(rounds: Self.hash, oldest: now, at: now)
        }
        let expected = perSecond * Double(Self.hash)
        #expect(abs(admission.roundsPerSecond / expected - 1) < 0.05)
        #expect(admission.expectedWait <= .seconds(2 + 1 / perSecond * 1.1))
    }

    @Test func `does not count the interleaved hashes of one moment twice`() {
        var admission = admission()
        _ = fill(&admission)
        var now = start
        // Eight hashes that end together, every 100 ms: 80 a second.
        for _ in 0..<50 {
            now += .milliseconds(100)
            for _ in 0..<8 {
                admission.finish(rounds: Self.hash, isSaturated: true, at: now)
                _ = admission.admit(rounds: Self.hash, oldest: now, at: now)
            }
        }
        #expect(abs(admission.roundsPerSecond / 81_920 - 1) < 0.02)
    }

    @Test func `measures nothing while threads are idle`() {
        var admission = admission()
        var now = start
        for _ in 0..<50 {
            let isAdmitted = admission.admit(rounds: Self.hash, oldest: nil, at: now)
            #expect(isAdmitted)
            now += .seconds(1)
            admission.finish(rounds: Self.hash, isSaturated: false, at: now)
        }
        #expect(admission.roundsPerSecond == 2 * BcryptAdmission.assumedRoundsPerSecond)
    }

    @Test func `refuses jobs while the first has waited too long, whatever was measured`() {
        var admission = admission()
        for _ in 0..<3 { _ = admission.admit(rounds: Self.hash, oldest: nil, at: start) }
        let (inTime, late) = (start + .seconds(2), start + .seconds(2.1))
        let decisions = [(start, inTime), (start, late), (late, late)].map { oldest, now in
            admission.admit(rounds: Self.hash, oldest: oldest, at: now)
        }
        #expect(decisions == [true, false, true])
    }

    @Test func `a job's rounds are those of its hash and of its padding`() {
        func rounds(_ setting: String, padding: Range<Int> = 0..<0) -> Int {
            BcryptJob(password: Secret(""), setting: setting, padding: padding) { _ in }.rounds
        }
        #expect(rounds("$2b$10$CCCCCCCCCCCCCCCCCCCCC.") == 1024)
        #expect(rounds("$2b$05$CCCCCCCCCCCCCCCCCCCCC.", padding: 5..<10) == 1024)
        for malformed in ["", "$2b", "$2b$zz$CCCCCCCCCCCCCCCCCCCCC.", "$2b$31$CCCCCCCCCCCCCCCCCCCCC."] {
            #expect(rounds(malformed) == 0)
        }
    }
}
