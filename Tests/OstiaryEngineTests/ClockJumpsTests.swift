import Foundation
import OstiaryEngine
import Testing

@Suite struct ClockJumpsTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)

    /// Returns the judgements of readings, each the seconds that the clock shows and that have passed.
    private func judgements(_ readings: [(shown: Double, passed: Double)]) -> [Bool] {
        var jumps = ClockJumps()
        return readings.map { jumps.isSettled(at: noon.addingTimeInterval($0.shown), uptime: .seconds($0.passed)) }
    }

    @Test func `relies on a clock that runs`() {
        #expect(judgements([(0, 0), (600, 600), (1_200, 1_201), (90_000, 90_000)]) == [true, true, true, true])
    }

    @Test(arguments: [3_600.0, -3_600, 315_360_000, -315_360_000])
    func `relies on it again an hour after it was set`(jump: Double) {
        let readings: [(shown: Double, passed: Double)] = [
            (0, 0), (600, 600), (1_200 + jump, 1_200), (1_800 + jump, 1_800), (4_799 + jump, 4_799),
            (4_800 + jump, 4_800),
        ]
        #expect(judgements(readings) == [true, true, false, false, false, true])
    }

    @Test func `waits for another hour if it is set back`() {
        let readings: [(shown: Double, passed: Double)] = [
            (0, 0), (3_600_600, 600), (3_601_200, 1_200), (1_800, 1_800), (5_399, 5_399), (5_400, 5_400),
        ]
        #expect(judgements(readings) == [true, false, false, false, false, true])
    }

    @Test func `tolerates a clock that is adjusted gradually`() {
        #expect(judgements([(0, 0), (899, 600), (1_200, 1_200)]) == [true, true, true])
    }
}
