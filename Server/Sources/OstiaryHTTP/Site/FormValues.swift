import OstiaryContracts

/// The values of a query or of a form. Of a name that comes twice, none is taken: nobody can say which was meant.
///
/// Source: WHATWG URL §5.1 (application/x-www-form-urlencoded).
struct FormValues {
    private var values: [String: [String]] = [:]

    init(_ text: String) {
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(parts[0], plusIsSpace: true),
                let value = PercentEncoding.decode(parts.count > 1 ? parts[1] : "", plusIsSpace: true)
            else { continue }
            values[name, default: []].append(value)
        }
    }

    /// Whether a name comes more than once.
    var hasRepeats: Bool { values.values.contains { $0.count > 1 } }

    subscript(name: String) -> String? {
        guard let all = values[name], all.count == 1 else { return nil }
        return all[0]
    }
}
