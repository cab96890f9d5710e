import Foundation
import OstiaryDelivery
import Testing

@Suite struct RetryScheduleTests {
    private let schedule = RetrySchedule()
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    /// Returns the seconds after queueing at which a message that always fails is tried.
    private func tries(usefulSeconds: Int, chance: Double = 0.5) -> [Double] {
        var tries = [0.0]
        while let next = schedule.nextAttempt(
            queuedAt: start, failedAt: start + (tries.last ?? 0), usefulSeconds: usefulSeconds, chance: chance)
        {
            tries.append(next.timeIntervalSince(start))
        }
        return tries
    }

    @Test func `tries a code often and not after its lifetime`() {
        #expect(tries(usefulSeconds: 300) == [0, 5, 15, 45, 75, 105, 135, 165, 195, 225, 255, 285])
    }

    @Test func `tries other messages for a day, at last once an hour`() throws {
        let day = tries(usefulSeconds: 86400)
        #expect(day.prefix(7) == [0, 5, 15, 45, 135, 405, 1215])
        #expect(zip(day, day.dropFirst()).allSatisfy { $1 - $0 <= 3600 })
        let last = try #require(day.last)
        #expect(last > 82_000 && last < 86_400)
    }

    @Test func `moves each wait at random by up to a fifth`() {
        #expect(tries(usefulSeconds: 300, chance: 0)[1] == 4)
        let latest = tries(usefulSeconds: 300, chance: 0.999)[1]
        #expect(latest > 5.9 && latest < 6)
    }

    @Test func `waits at least its shortest wait when the clock was set back`() throws {
        let next = schedule.nextAttempt(queuedAt: start, failedAt: start - 1000, usefulSeconds: 300, chance: 0.5)
        #expect(next == start - 995)
    }
}
