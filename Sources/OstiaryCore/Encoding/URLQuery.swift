/// Writes the query of a URL, or a form. Source: RFC 3986 §2.1, RFC 6749 appendix B.
public enum URLQuery {
    /// Returns the parameters as `name=value`, joined by `&`. All but unreserved characters are percent-encoded, so
    /// that every parser decodes them alike.
    public static func encode(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
            .joined(separator: "&")
    }

    /// Returns a URL without a fragment, with parameters at the end of the query that it may have. The URL is not
    /// parsed. Source: RFC 6749 §3.1.2.
    public static func append(_ parameters: [(name: String, value: String)], to url: String) -> String {
        guard !parameters.isEmpty else { return url }
        let query = encode(parameters)
        guard url.utf8.contains(UInt8(ascii: "?")) else { return "\(url)?\(query)" }
        let last = url.utf8.last
        let isOpen = last == UInt8(ascii: "?") || last == UInt8(ascii: "&")
        return isOpen ? url + query : "\(url)&\(query)"
    }
}
