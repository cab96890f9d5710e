public import Foundation
public import OstiaryClient

/// A clock that stands still until the test moves it.
///
/// It replaces both of a client's clocks: the wall clock, which a person can set, and the monotonic uptime. One clock
/// can serve several clients and a ``TestServer``.
public final class TestClock: Sendable {
    /// The default start of a clock: 15 January 2027, 08:00 UTC.
    public static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private struct Sleeper: Sendable {
        let number: Int
        let wakes: Duration
    }

    private struct State: Sendable {
        var wall: Date
        var uptime = Duration.zero
        var slept: [Duration] = []
        var sleepers: [Sleeper] = []
        var next = 0

        /// Advances both clocks and removes the sleepers that are due, even if their tasks have not been resumed yet.
        mutating func pass(_ duration: Duration) {
            wall += duration.seconds
            uptime += duration
            sleepers.removeAll { $0.wakes <= uptime }
        }
    }

    private let state: Watched<State>
    private let skipped: Duration
    private let random: @Sendable () -> Double

    /// Creates a clock that shows `now` and an uptime of zero.
    ///
    /// - Parameters:
    ///   - now: The start of the wall clock.
    ///   - skippingSleeps: The longest sleep that advances the clock by itself and returns at once. With zero, each
    ///     sleep waits for the test to move the clock.
    ///   - randomFraction: The source of jitter, from 0 up to 1. By default each delay is as long as it can be.
    public init(
        now: Date = TestClock.start, skippingSleeps: Duration = .zero,
        randomFraction: @escaping @Sendable () -> Double = { 1 }
    ) {
        state = Watched(State(wall: now))
        skipped = skippingSleeps
        random = randomFraction
    }

    // MARK: Reading the clock

    /// The wall clock's time.
    public var now: Date { state.value.wall }
    /// The time that has passed since the clock was created.
    public var uptime: Duration { state.value.uptime }

    // MARK: Moving the clock

    /// Advances both clocks, and wakes the sleepers that are due by then. A task that sleeps again does so from the new
    /// time. A negative duration counts as zero.
    public func advance(by duration: Duration) {
        state.change { $0.pass(max(.zero, duration)) }
    }

    /// Advances both clocks until the next sleeper wakes.
    ///
    /// - Returns: The time advanced; `nil` if no task sleeps.
    @discardableResult
    public func advanceToNextSleeper() -> Duration? {
        state.change { state in
            guard let wakes = state.sleepers.map(\.wakes).min() else { return nil }
            let duration = max(.zero, wakes - state.uptime)
            state.pass(duration)
            return duration
        }
    }

    /// Sets the wall clock, as a person does. No time passes.
    public func setWall(to now: Date) { state.change { $0.wall = now } }
    /// Moves the wall clock forward, or back by a negative duration. No time passes.
    public func shiftWall(by duration: Duration) { state.change { $0.wall += duration.seconds } }

    // MARK: Sleepers

    /// The duration of each sleep that was requested, in order, skipped sleeps included.
    public var sleeps: [Duration] { state.value.slept }
    /// The remaining time of each sleeper, the shortest first.
    public var sleepers: [Duration] {
        let state = state.value
        return state.sleepers.map { $0.wakes - state.uptime }.sorted()
    }

    /// Waits until at least `count` tasks sleep.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func sleepers(_ count: Int) async throws(CancellationError) {
        try await state.wait { $0.sleepers.count >= count }
    }

    /// Suspends the task until the clock has been advanced by `duration`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func sleep(for duration: Duration) async throws(CancellationError) {
        if Task.isCancelled { throw CancellationError() }
        let sleeper: Sleeper? = state.change { state in
            state.slept.append(duration)
            guard duration > skipped else {
                state.pass(max(.zero, duration))
                return nil
            }
            state.next += 1
            let sleeper = Sleeper(number: state.next, wakes: state.uptime + duration)
            state.sleepers.append(sleeper)
            return sleeper
        }
        guard let sleeper else { return }
        let result: Result<Void, CancellationError> = await withTaskCancellationHandler {
            do throws(CancellationError) {
                try await state.wait { $0.uptime >= sleeper.wakes }
                return .success(())
            } catch { return .failure(error) }
        } onCancel: {
            // Removed at once: the cancelled task may be resumed late.
            state.change { $0.sleepers.removeAll { $0.number == sleeper.number } }
        }
        try result.get()
    }

    /// The clocks and the source of jitter for a client that runs on this clock.
    public var system: ClientDependencies {
        ClientDependencies(
            now: { self.now }, uptime: { self.uptime }, sleep: { try await self.sleep(for: $0) },
            randomFraction: random)
    }
}

extension Duration {
    var seconds: TimeInterval {
        let (seconds, attoseconds) = components
        return TimeInterval(seconds) + TimeInterval(attoseconds) / 1e18
    }
}
