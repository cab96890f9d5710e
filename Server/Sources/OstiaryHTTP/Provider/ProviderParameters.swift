import OstiaryContracts

/// The parameters of a query or of a form, each name once. Source: RFC 6749 §3.1, §3.2, appendix B.
enum ProviderParameters {
    /// More are none that a client of ours sends.
    static let maximumCount = 64

    /// - Returns: Nil if a name comes twice, since two readers may take different ones, or if something cannot be decoded.
    static func read(_ text: String) -> [String: String]? {
        var values: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(parts[0], plusIsSpace: true),
                let value = PercentEncoding.decode(parts.count > 1 ? parts[1] : "", plusIsSpace: true),
                values.updateValue(value, forKey: name) == nil, values.count <= maximumCount
            else { return nil }
        }
        return values
    }

    /// - Returns: Nil for a body that is no form, or no text.
    static func text(ofFormIn request: WireRequest) -> String? {
        let type = (request.headers["content-type"] ?? "").prefix { $0 != ";" }
        guard type.trimmingPrefix(" ").lowercased().utf8.elementsEqual("application/x-www-form-urlencoded".utf8) else {
            return nil
        }
        return String(validating: request.body, as: UTF8.self)
    }
}
