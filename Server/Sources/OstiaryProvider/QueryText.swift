import OstiaryContracts

/// The encoding of parameters as a query or a form. Source: RFC 3986 §2.1, RFC 6749 appendix B.
package enum QueryText {
    /// Returns the encoded parameters. Everything but unreserved characters is escaped.
    package static func write(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
            .joined(separator: "&")
    }

    /// Returns a registered URI with parameters added to the query that it may have. Source: RFC 6749 §3.1.2.
    static func adding(_ parameters: [(name: String, value: String)], to uri: String) -> String {
        guard !parameters.isEmpty else { return uri }
        return uri + (uri.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + write(parameters)
    }
}
