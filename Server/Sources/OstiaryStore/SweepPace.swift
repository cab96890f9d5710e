/// The pace of a sweep: after each batch it waits three times as long as the batch took, so that requests have most of the
/// processor and of the database meanwhile.
struct SweepPace {
    /// The most rows of a batch, whose deletion no request waits for longer than a few milliseconds.
    static let batchSize = 30
    /// The time after which a batch ends that takes a core of this process: a request may have to wait for the core.
    static let batchTime = Duration.microseconds(300)

    private var start = ContinuousClock.now

    /// Waits after a batch. The next one begins when it returns.
    mutating func wait() async throws {
        try await Task.sleep(for: start.duration(to: .now) * 3)
        start = .now
    }
}
