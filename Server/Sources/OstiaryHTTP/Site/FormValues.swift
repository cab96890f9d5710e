import OstiaryContracts

/// The values of a query or of a form. Of a name that comes twice, none is taken: nobody can say which was meant. What
/// cannot be read is passed over.
///
/// Source: WHATWG URL §5.1 (application/x-www-form-urlencoded).
struct FormValues {
    private var values: [String: [String]] = [:]

    init(_ text: String) {
        for case .named(let name, let value) in ParameterReader(text) { values[name, default: []].append(value) }
    }

    /// Whether a name comes more than once.
    var hasRepeats: Bool { values.values.contains { $0.count > 1 } }

    subscript(name: String) -> String? {
        guard let all = values[name], all.count == 1 else { return nil }
        return all[0]
    }
}
