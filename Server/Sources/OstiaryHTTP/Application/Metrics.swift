import OstiaryEngine
import Synchronization

/// Counts requests and their durations, and collects the other metrics of the server, for Prometheus.
package final class Metrics: Sendable {
    private struct State {
        var requests: [Series: Int] = [:]
        var durations: [String: HistogramCounts] = [:]
    }

    private struct Series: Hashable {
        var app: String
        var operation: String
        var status: Int
    }

    private let state = Mutex(State())
    private let others: @Sendable () -> [MetricFamily]

    /// - Parameter others: Returns the metrics besides those of requests; called on each scrape.
    package init(others: @escaping @Sendable () -> [MetricFamily] = { [] }) { self.others = others }

    func count(app: String, operation: String, status: Int, seconds: Double) {
        state.withLock { state in
            state.requests[Series(app: app, operation: operation, status: status), default: 0] += 1
            state.durations[app, default: HistogramCounts()].add(seconds)
        }
    }

    /// The metrics in the Prometheus text format, version 0.0.4.
    package var text: String {
        let (requests, durations) = state.withLock { ($0.requests, $0.durations) }
        let families =
            [
                MetricFamily(
                    .requests, requests.map { ([$0.key.app, $0.key.operation, String($0.key.status)], $0.value) }),
                MetricFamily(.requestDuration, durations.map { ([$0.key], $0.value) }),
            ] + others()
        return families.flatMap(\.lines).map { $0 + "\n" }.joined()
    }
}
