import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@Suite struct InterleavingTests {
    /// Prints the seed, so that a run can be repeated: `OSTIARY_TEST_SEED=… swift test --filter InterleavingTests`.
    @Test(arguments: [false, true])
    func `keeps the rules of sessions through 1,000 random interleavings`(isStrict: Bool) async throws {
        let given = ProcessInfo.processInfo.environment["OSTIARY_TEST_SEED"].flatMap { UInt64($0) }
        let first = given ?? UInt64.random(in: 0..<1_000_000_000)
        print("interleavings: OSTIARY_TEST_SEED=\(first)")
        let world = try World.vici {
            $0.limits = .generous
            $0.replay.isStrict = isStrict
            $0.rules.accessTokenSeconds = 600_000
        }
        var tally = Interleaving.Tally()
        for number in 0..<UInt64(isStrict ? 250 : 1000) {
            var story = Interleaving(seed: first + number, in: world)
            try await story.run(steps: 80, counting: &tally)
        }
        #expect(tally.rotations > 100 && tally.thefts > 10 && tally.refusals > 100)
        #expect(isStrict ? tally.replays == 0 : tally.replays > 100)
        print("interleavings: \(tally)")
    }
}
