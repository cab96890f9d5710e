import Synchronization

/// Counts requests and their durations, for Prometheus.
///
/// Labels come from closed lists (apps, operations, statuses), so that no caller can increase their number.
package final class Metrics: Sendable {
    private struct Series: Hashable {
        var app: String
        var operation: String
        var status: Int
        var order: (String, String, Int) { (app, operation, status) }
    }

    private struct Histogram {
        var buckets = [Int](repeating: 0, count: Metrics.bounds.count)
        var count = 0
        var seconds = 0.0

        mutating func add(_ duration: Double) {
            count += 1
            seconds += duration
            for (index, bound) in Metrics.bounds.enumerated() where duration <= bound { buckets[index] += 1 }
        }
    }

    private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

    private struct State {
        var requests: [Series: Int] = [:]
        var durations: [String: Histogram] = [:]
    }

    private let state = Mutex(State())
    /// Further gauges, by name, read on each scrape.
    private let gauges: @Sendable () -> [(name: String, help: String, value: Double)]

    /// Further counters with a label from a closed list, read on each scrape.
    private let counters: @Sendable () -> [Counter]

    package struct Counter: Sendable {
        var name: String
        var help: String
        var label: String
        var values: [(label: String, count: Int)]

        package init(name: String, help: String, label: String, values: [(label: String, count: Int)]) {
            self.name = name
            self.help = help
            self.label = label
            self.values = values
        }

        fileprivate var lines: [String] {
            ["# HELP \(name) \(help)", "# TYPE \(name) counter"]
                + values.map { "\(name){\(label)=\"\($0.label)\"} \($0.count)" }
        }
    }

    package init(
        gauges: @escaping @Sendable () -> [(name: String, help: String, value: Double)] = { [] },
        counters: @escaping @Sendable () -> [Counter] = { [] }
    ) {
        self.gauges = gauges
        self.counters = counters
    }

    func count(app: String, operation: String, status: Int, seconds: Double) {
        state.withLock { state in
            state.requests[Series(app: app, operation: operation, status: status), default: 0] += 1
            state.durations[app, default: Histogram()].add(seconds)
        }
    }

    /// The metrics in the Prometheus text format, version 0.0.4.
    package var text: String {
        let (requests, durations) = state.withLock { ($0.requests, $0.durations) }
        var lines = [
            "# HELP ostiary_requests_total Requests answered.", "# TYPE ostiary_requests_total counter",
        ]
        for (series, count) in requests.sorted(by: { $0.key.order < $1.key.order }) {
            lines.append(
                "ostiary_requests_total{app=\"\(series.app)\",operation=\"\(series.operation)\",status=\"\(series.status)\"} \(count)"
            )
        }
        lines.append("# HELP ostiary_request_duration_seconds Time from the request's head to the answer.")
        lines.append("# TYPE ostiary_request_duration_seconds histogram")
        for (app, histogram) in durations.sorted(by: { $0.key < $1.key }) {
            for (bound, count) in zip(Self.bounds, histogram.buckets) {
                lines.append("ostiary_request_duration_seconds_bucket{app=\"\(app)\",le=\"\(bound)\"} \(count)")
            }
            lines.append("ostiary_request_duration_seconds_bucket{app=\"\(app)\",le=\"+Inf\"} \(histogram.count)")
            lines.append("ostiary_request_duration_seconds_sum{app=\"\(app)\"} \(histogram.seconds)")
            lines.append("ostiary_request_duration_seconds_count{app=\"\(app)\"} \(histogram.count)")
        }
        for counter in counters() { lines += counter.lines }
        for gauge in gauges() {
            lines.append("# HELP \(gauge.name) \(gauge.help)")
            lines.append("# TYPE \(gauge.name) gauge")
            lines.append("\(gauge.name) \(gauge.value)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
