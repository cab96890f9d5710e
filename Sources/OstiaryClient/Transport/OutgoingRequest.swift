package import OstiaryContracts

/// A validated request to an app's server, in which no part can be interpreted as anything other than itself.
package struct OutgoingRequest: Sendable {
    package let method: String
    /// Path and query, as sent in the request line.
    package let target: String
    package let url: String
    package let headers: [String: String]
    package let body: [UInt8]

    /// Validates a request and joins it to the base URL.
    ///
    /// - Throws: ``TransportError/unsendable`` for a path, query, method or header that a server could interpret
    ///   differently, as a URL outside the base URL or as another header; and for headers that the transport sets
    ///   itself.
    package init(_ request: WireRequest, to baseURL: BaseURL) throws(TransportError) {
        guard RequestTarget.isPlainPath(request.path), RequestTarget.isPlainQuery(request.query),
            HeaderText.isToken(request.method), request.method != "CONNECT"
        else { throw .unsendable }
        var names: Set<String> = []
        for (name, value) in request.headers {
            guard HeaderText.isToken(name), HeaderText.isValue(value), !Self.ownHeaders.contains(name.lowercased()),
                names.insert(name.lowercased()).inserted
            else { throw .unsendable }
        }
        let below = request.query.isEmpty ? request.path : "\(request.path)?\(request.query)"
        let path = baseURL.path + below
        target = path.hasPrefix("/") ? path : "/" + path
        url = baseURL.text + below
        method = request.method
        headers = request.headers
        body = request.body
    }

    /// Headers that define the destination and the framing of a message. Two interpretations of them allow request
    /// smuggling.
    private static let ownHeaders: Set<String> = [
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]
}

/// Checks of what HTTP header fields can carry. Source: RFC 9110 §5.5 and §5.6.2.
enum HeaderText {
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    /// Accepts visible ASCII, spaces and tabs; rejects CR, LF and NUL in particular, which would begin another header
    /// or request.
    static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 }
    }
}
