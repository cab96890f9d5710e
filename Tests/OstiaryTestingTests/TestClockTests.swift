import Foundation
import OstiaryClient
import OstiaryTesting
import Testing

struct TestClockTests {
    private let clock = TestClock()

    @Test func `stands still until it is moved, and moves both of its clocks`() {
        #expect(clock.now == TestClock.start)
        #expect(clock.uptime == .zero)
        clock.advance(by: .milliseconds(1500))
        #expect(clock.now == TestClock.start + 1.5)
        #expect(clock.uptime == .milliseconds(1500))
    }

    @Test func `can be set on the wall without time passing`() {
        clock.shiftWall(by: .seconds(-3600))
        #expect(clock.now == TestClock.start - 3600)
        clock.setWall(to: TestClock.start + 86_400)
        #expect(clock.now == TestClock.start + 86_400)
        #expect(clock.uptime == .zero)
    }

    @Test func `wakes a sleeper when its time has come, not before`() async throws {
        let system = clock.system
        let sleeper = Task { try await system.sleep(.seconds(10)) }
        try await clock.sleepers(1)
        clock.advance(by: .seconds(9))
        #expect(clock.sleepers == [.seconds(1)])
        clock.advance(by: .seconds(1))
        try await sleeper.value
        #expect(clock.sleepers.isEmpty)
        #expect(clock.sleeps == [.seconds(10)])
    }

    @Test func `counts nobody as asleep who has been woken, though the task has not run yet`() async throws {
        for _ in 0..<1000 {
            let sleeper = Task { try await clock.sleep(for: .seconds(10)) }
            try await clock.sleepers(1)
            #expect(clock.advanceToNextSleeper() == .seconds(10))
            #expect(clock.sleepers.isEmpty)
            try await sleeper.value
        }
    }

    @Test func `is not woken by a clock that somebody set`() async throws {
        let sleeper = Task { try await clock.sleep(for: .seconds(10)) }
        try await clock.sleepers(1)
        clock.shiftWall(by: .seconds(100))
        #expect(clock.sleepers == [.seconds(10)])
        sleeper.cancel()
    }

    @Test func `moves to the next sleeper`() async throws {
        async let long: Void = clock.sleep(for: .seconds(60))
        async let short: Void = clock.sleep(for: .seconds(5))
        try await clock.sleepers(2)
        #expect(clock.advanceToNextSleeper() == .seconds(5))
        try await short
        #expect(clock.advanceToNextSleeper() == .seconds(55))
        try await long
        #expect(clock.advanceToNextSleeper() == nil)
    }

    @Test func `ends the sleep of a cancelled task`() async throws {
        let sleeper = Task { try await clock.sleep(for: .seconds(10)) }
        try await clock.sleepers(1)
        sleeper.cancel()
        #expect(clock.sleepers.isEmpty)
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.sleepers.isEmpty)
    }

    @Test func `skips short sleeps and waits for long ones, where it is told to`() async throws {
        let clock = TestClock(skippingSleeps: .seconds(60))
        try await clock.sleep(for: .seconds(60))
        #expect(clock.uptime == .seconds(60))
        let sleeper = Task { try await clock.sleep(for: .seconds(61)) }
        try await clock.sleepers(1)
        sleeper.cancel()
        #expect(clock.sleeps == [.seconds(60), .seconds(61)])
    }
}
