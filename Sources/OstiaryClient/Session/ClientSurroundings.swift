public import Foundation

/// What a client takes from the world besides the network and its store: time and chance.
public struct ClientSurroundings: Sendable {
    public var now: @Sendable () -> Date
    /// Time that has passed since some moment; unlike the clock on the wall it is never set.
    public var uptime: @Sendable () -> Duration
    /// Throws when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// A random number from 0 up to 1, for waiting times.
    public var randomFraction: @Sendable () -> Double

    public init(
        now: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void, randomFraction: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.uptime = uptime
        self.sleep = sleep
        self.randomFraction = randomFraction
    }

    /// Sleeps until ``uptime`` shows that, however late the task that sleeps gets to begin.
    func sleep(until due: Duration) async throws { try await sleep(max(.zero, due - uptime())) }

    public static let system: ClientSurroundings = {
        let start = ContinuousClock.now
        return ClientSurroundings(
            now: { Date() }, uptime: { ContinuousClock.now - start }, sleep: { try await Task.sleep(for: $0) },
            randomFraction: { Double.random(in: 0..<1) })
    }()
}
