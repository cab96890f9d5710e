/// The durable job that counts audit events for the statistics.
///
/// It follows the audit log after a stored position, and commits the counts of a batch together with the position after it. An
/// event is therefore counted once, wherever the process ends; of several nodes that count the same batch, one moves the
/// position.
public struct StatisticsRollUp: Sendable {
    private let store: any AuditLog & StatisticsStore
    private let batchSize: Int

    /// Creates the job for a store.
    public init(store: any AuditLog & StatisticsStore, batchSize: Int = 5_000) {
        self.store = store
        self.batchSize = batchSize
    }

    /// Counts the events that were appended since the last run.
    ///
    /// - Returns: The number of events that this run counted. Another node may have counted the others.
    @discardableResult
    public func run() async throws -> Int {
        var counted = 0
        while !Task.isCancelled {
            let position = try await store.statisticsPosition()
            let events = try await store.events(in: nil, since: nil, after: position, limit: batchSize)
            guard let last = events.last else { break }
            let isMoved = try await store.add(
                HourlyCount.counts(of: events.lazy.map(\.event)), movingPositionFrom: position, to: last.position)
            guard isMoved else { break }
            counted += events.count
            guard events.count == batchSize else { break }
        }
        return counted
    }
}
