import Synchronization

/// Measures durations since the start of the process, for metrics.
public final class DurationHistogram: Sendable {
    private let state = Mutex(HistogramCounts())

    /// Creates an empty histogram.
    public init() {}

    /// The counts at this moment.
    public var counts: HistogramCounts { state.withLock { $0 } }

    /// Adds a duration.
    public func add(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        state.withLock { $0.add(Double(seconds) + Double(attoseconds) / 1e18) }
    }

    /// Runs `body` and adds its duration, also if it throws.
    public func measure<Value, Failure: Error>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let start = ContinuousClock.now
        defer { add(start.duration(to: .now)) }
        return try await body()
    }
}
