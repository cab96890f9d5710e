package import OstiaryTesting

/// The timers of a ``TestClock``, for code that sleeps on a `Clock`.
package struct TimerClock: Clock {
    package struct Instant: InstantProtocol {
        package var uptime: Duration

        package func advanced(by duration: Duration) -> Instant { Instant(uptime: uptime + duration) }
        package func duration(to other: Instant) -> Duration { other.uptime - uptime }
        package static func < (one: Instant, other: Instant) -> Bool { one.uptime < other.uptime }
    }

    private let clock: TestClock

    package init(_ clock: TestClock) { self.clock = clock }

    package var now: Instant { Instant(uptime: clock.uptime) }
    package var minimumResolution: Duration { .zero }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await clock.sleep(for: now.duration(to: deadline))
    }
}
