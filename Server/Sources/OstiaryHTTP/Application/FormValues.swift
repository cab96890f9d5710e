import OstiaryContracts

/// The values of a query or of a form. A repeated name has no value, since the intended one cannot be told. Unreadable
/// parts are skipped.
///
/// Source: WHATWG URL §5.1 (application/x-www-form-urlencoded).
struct FormValues {
    private var values: [String: [String]] = [:]

    init(_ text: String) {
        for case .named(let name, let value) in ParameterReader(text) { values[name, default: []].append(value) }
    }

    /// `true` if a name repeats.
    var hasRepeats: Bool { values.values.contains { $0.count > 1 } }

    subscript(name: String) -> String? {
        guard let all = values[name], all.count == 1 else { return nil }
        return all[0]
    }
}
