import OstiaryContracts

/// The parameters of a query or of a form, each name once. Source: RFC 6749 §3.1, §3.2, appendix B.
enum ProviderParameters {
    /// The maximum number of parameters, more than any client sends.
    static let maximumCount = 64

    /// - Returns: Nil if a name repeats, since two readers may take different values, or if a value cannot be decoded.
    static func read(_ text: String) -> [String: String]? {
        var values: [String: String] = [:]
        for parameter in ParameterReader(text) {
            guard case .named(let name, let value) = parameter, values.updateValue(value, forKey: name) == nil,
                values.count <= maximumCount
            else { return nil }
        }
        return values
    }

    /// - Returns: Nil for a body that is not a form, or not UTF-8.
    static func text(ofFormIn request: WireRequest) -> String? {
        FormMediaType.isForm(request.headers["content-type"]) ? String(validating: request.body, as: UTF8.self) : nil
    }

    /// Returns `false` for an unreadable query or form.
    static func areReadable(in request: WireRequest) -> Bool {
        guard read(request.query) != nil else { return false }
        guard FormMediaType.isForm(request.headers["content-type"]) else { return true }
        return text(ofFormIn: request).flatMap(read) != nil
    }
}
