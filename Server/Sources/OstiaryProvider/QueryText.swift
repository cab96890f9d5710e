import OstiaryContracts

/// Parameters as a query or a form spells them. Source: RFC 3986 §2.1, RFC 6749 appendix B.
package enum QueryText {
    /// Everything but unreserved characters is escaped.
    package static func write(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
            .joined(separator: "&")
    }

    /// A registered URI with parameters added to the query it may have. Source: RFC 6749 §3.1.2.
    static func adding(_ parameters: [(name: String, value: String)], to uri: String) -> String {
        guard !parameters.isEmpty else { return uri }
        return uri + (uri.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + write(parameters)
    }
}
