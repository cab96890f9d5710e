public import Foundation

/// The client's system dependencies other than the network and the store: clocks, sleep and randomness.
public struct ClientDependencies: Sendable {
    /// The current date, by the wall clock of this machine.
    public var now: @Sendable () -> Date
    /// The time since an arbitrary fixed moment; a monotonic clock, which is never set, unlike the wall clock.
    public var uptime: @Sendable () -> Duration
    /// Suspends the calling task for a duration. Throws when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// A random number in the range 0..<1, for jitter in waiting times.
    public var randomFraction: @Sendable () -> Double

    /// Creates a set of dependencies from its parts.
    public init(
        now: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void, randomFraction: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.uptime = uptime
        self.sleep = sleep
        self.randomFraction = randomFraction
    }

    /// Suspends until ``uptime`` reaches `due`, regardless of how late the sleeping task is scheduled.
    func sleep(until due: Duration) async throws { try await sleep(max(.zero, due - uptime())) }

    /// The dependencies of the running system: `Date`, `ContinuousClock`, `Task.sleep` and the system's random numbers.
    public static let system: ClientDependencies = {
        let start = ContinuousClock.now
        return ClientDependencies(
            now: { Date() }, uptime: { ContinuousClock.now - start }, sleep: { try await Task.sleep(for: $0) },
            randomFraction: { Double.random(in: 0..<1) })
    }()
}
