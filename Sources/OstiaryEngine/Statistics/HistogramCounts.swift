/// The distribution of durations over buckets.
public struct HistogramCounts: Hashable, Sendable {
    /// The upper bounds of the buckets, in seconds, ascending.
    public static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

    /// The number of durations up to each bound, those of the smaller bounds included.
    public private(set) var buckets = [Int](repeating: 0, count: bounds.count)
    /// The number of durations.
    public private(set) var count = 0
    /// The sum of the durations, in seconds.
    public private(set) var sum = 0.0

    /// Creates counts of 0.
    public init() {}

    /// Adds a duration in seconds.
    public mutating func add(_ seconds: Double) {
        count += 1
        sum += seconds
        for (index, bound) in Self.bounds.enumerated() where seconds <= bound { buckets[index] += 1 }
    }
}
