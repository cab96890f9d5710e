package import OstiaryEngine

/// A metric with its samples at one moment.
package struct MetricFamily: Sendable {
    private let description: MetricDescription
    private let samples: [(suffix: String, labels: [(name: String, value: String)], value: String)]

    /// Creates a counter or a gauge.
    ///
    /// - Parameter samples: The values of the labels, in the order of the description, and the number.
    package init(_ description: MetricDescription, _ samples: [(labels: [String], value: Int)]) {
        self.description = description
        self.samples = samples.sorted { $0.labels.lexicographicallyPrecedes($1.labels) }.map {
            ("", Array(zip(description.labels, $0.labels)), String($0.value))
        }
    }

    /// Creates a counter or a gauge without labels; one without samples for nil.
    package init(_ description: MetricDescription, _ value: Int?) {
        self.init(description, value.map { [([], $0)] } ?? [])
    }

    /// Creates a histogram.
    package init(_ description: MetricDescription, _ samples: [(labels: [String], counts: HistogramCounts)]) {
        self.description = description
        self.samples = samples.sorted { $0.labels.lexicographicallyPrecedes($1.labels) }.flatMap { sample in
            let (labels, counts) = (Array(zip(description.labels, sample.labels)), sample.counts)
            let buckets = zip(HistogramCounts.bounds.map { "\($0)" } + ["+Inf"], counts.buckets + [counts.count])
            return buckets.map { ("_bucket", labels + [("le", $0)], String($1)) } + [
                ("_sum", labels, "\(counts.sum)"), ("_count", labels, String(counts.count)),
            ]
        }
    }

    /// Creates a histogram without labels.
    package init(_ description: MetricDescription, _ counts: HistogramCounts) {
        self.init(description, [([], counts)])
    }

    /// The lines of the text format. Source: Prometheus exposition format 0.0.4.
    var lines: [String] {
        guard !samples.isEmpty else { return [] }
        let (name, kind) = (description.name, description.kind.rawValue)
        return ["# HELP \(name) \(description.help)", "# TYPE \(name) \(kind)"]
            + samples.map { "\(name)\($0.suffix)\(Self.text(of: $0.labels)) \($0.value)" }
    }

    private static func text(of labels: [(name: String, value: String)]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",") + "}"
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
