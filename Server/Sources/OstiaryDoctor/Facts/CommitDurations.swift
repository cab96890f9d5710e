/// The durations of short commits one after the other.
package struct CommitDurations: Hashable, Sendable {
    package enum Method: Hashable, Sendable {
        /// Commits of the database.
        case commits
        /// Flushes of a file beside a database that no process has open.
        case flushes
    }

    package var method: Method
    package var milliseconds: [Double]

    package init(method: Method, milliseconds: [Double]) {
        self.method = method
        self.milliseconds = milliseconds
    }

    /// Returns the smallest duration that at least this share does not exceed (nearest rank); nil without durations.
    package func percentile(_ share: Double) -> Double? {
        let sorted = milliseconds.sorted()
        guard !sorted.isEmpty else { return nil }
        let rank = Int((Double(sorted.count) * share).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }
}
