public import Foundation
public import OstiaryClient

/// A clock that stands still until the test moves it.
///
/// It stands for both of a client's clocks: the one on the wall, which a person can set, and the time that has passed. One
/// clock can serve several clients and a ``TestServer``.
public final class TestClock: Sendable {
    /// What a clock shows that is told nothing else: 15 January 2027, 08:00 UTC.
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

        /// Whoever's sleep has ended by then sleeps no more, even if its task has not got to see that yet.
        mutating func pass(_ duration: Duration) {
            wall += duration.seconds
            uptime += duration
            sleepers.removeAll { $0.wakes <= uptime }
        }
    }

    private let state: Watched<State>
    private let skipped: Duration
    private let random: @Sendable () -> Double

    /// - Parameters:
    ///   - skippingSleeps: A sleep of up to that long moves the clock instead of waiting for it to be moved. Zero to wait for
    ///     every one.
    ///   - randomFraction: What chance says, from 0 up to 1. By default every waiting time is as long as it can be.
    public init(
        now: Date = TestClock.start, skippingSleeps: Duration = .zero,
        randomFraction: @escaping @Sendable () -> Double = { 1 }
    ) {
        state = Watched(State(wall: now))
        skipped = skippingSleeps
        random = randomFraction
    }

    // MARK: What it shows

    public var now: Date { state.value.wall }
    /// Since the clock was made.
    public var uptime: Duration { state.value.uptime }

    // MARK: Moving it

    /// Lets time pass, and wakes whoever's sleep has ended by then. A sleeper who sleeps again does so from the new time.
    public func advance(by duration: Duration) {
        state.change { $0.pass(max(.zero, duration)) }
    }

    /// Lets time pass until the next sleeper wakes.
    ///
    /// - Returns: How long that was; nil if nobody sleeps.
    @discardableResult
    public func advanceToNextSleeper() -> Duration? {
        state.change { state in
            guard let wakes = state.sleepers.map(\.wakes).min() else { return nil }
            let duration = max(.zero, wakes - state.uptime)
            state.pass(duration)
            return duration
        }
    }

    /// Sets the clock on the wall, as a person does. No time passes.
    public func setWall(to now: Date) { state.change { $0.wall = now } }
    /// Sets the clock on the wall forward, or back if negative. No time passes.
    public func shiftWall(by duration: Duration) { state.change { $0.wall += duration.seconds } }

    // MARK: Sleepers

    /// How long was asked for, sleep by sleep, those included that were skipped.
    public var sleeps: [Duration] { state.value.slept }
    /// How much longer each sleeper sleeps, the next to wake first.
    public var sleepers: [Duration] {
        let state = state.value
        return state.sleepers.map { $0.wakes - state.uptime }.sorted()
    }

    /// Waits until at least so many sleep.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func sleepers(_ count: Int) async throws(CancellationError) {
        try await state.wait { $0.sleepers.count >= count }
    }

    /// Sleeps until the clock has been moved that far.
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
            // At once: its task may get to see that late.
            state.change { $0.sleepers.removeAll { $0.number == sleeper.number } }
        }
        try result.get()
    }

    /// The surroundings of a client that lives by this clock.
    public var surroundings: ClientSurroundings {
        ClientSurroundings(
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
