import HTTPTypes

/// The head of one request, parsed line by line, each line checked when it is complete.
///
/// Stricter than RFC 9112 requires where another parser in front of the server could read the same bytes differently.
struct RequestHead {
    /// The framing of the body. Source: RFC 9112 §6.
    enum Body: Equatable {
        case none
        case length(Int)
        case chunked
    }

    private let limits: ConnectionLimits
    private let isSecure: Bool
    private var requestLine: RequestLine?
    private var fields = HTTPFields()
    private var headerBytes = 0
    private var headerCount = 0
    private var seen: [String] = []
    /// The host as it was sent, and in lower case.
    private var authority: String?
    private var host: String?
    private var length: Int?
    private var isChunked = false
    private var asksToClose = false
    private var expectsContinue = false

    /// - Parameter isSecure: `true` if the connection is encrypted.
    init(limits: ConnectionLimits, isSecure: Bool) {
        self.limits = limits
        self.isSecure = isSecure
    }

    /// The host and path (without the query) of the request, as far as the head has arrived.
    var targetHostAndPath: (host: String?, path: String?) {
        (host, requestLine.map { String(decoding: $0.target.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self) })
    }

    /// The registered methods without `PRI`, which begins HTTP/2, and those that caches and devices use. Methods are
    /// case-sensitive.
    ///
    /// Source: RFC 9110 §9.1 and the registry of §16.1.1.
    private static let methods: Set = [
        "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "CONNECT", "COPY", "DELETE", "GET", "HEAD", "LABEL",
        "LINK", "LOCK", "M-SEARCH", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE",
        "MOVE",
        "NOTIFY", "OPTIONS", "ORDERPATCH", "PATCH", "POST", "PROPFIND", "PROPPATCH", "PURGE", "PUT", "QUERY", "REBIND",
        "REPORT", "SEARCH", "SOURCE", "SUBSCRIBE", "TRACE", "UNBIND", "UNCHECKOUT", "UNLINK", "UNLOCK", "UNSUBSCRIBE",
        "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL",
    ]

    /// Names that must not repeat: two parsers could each use another value.
    private static let single = [
        "authorization", "content-length", "content-type", "expect", "host", "transfer-encoding",
    ]

    /// Refuses an incomplete line that can no longer become valid: a stream of bytes that is not HTTP, or a line
    /// without end.
    ///
    /// - Parameter start: The offset of the bytes that were not checked yet.
    func check(partialLine line: [UInt8], from start: Int) throws(RequestRefusal) {
        guard requestLine == nil else {
            guard headerBytes + line.count <= limits.headerBytes else { throw .headerTooLarge("header too large") }
            return
        }
        for index in start..<line.count {
            guard line[index] == ASCII.space || ASCII.isVisible(line[index]) else { throw .malformed("request line") }
            guard index < limits.targetBytes + RequestLine.overhead else { throw .targetTooLong }
        }
    }

    /// - Parameter line: The line without its line end.
    mutating func take(_ line: [UInt8]) throws(RequestRefusal) {
        guard requestLine != nil else {
            let first = try RequestLine(line, targetBytes: limits.targetBytes)
            requestLine = first
            // Refused after the line is kept, so that the host and path of the request are known.
            guard Self.methods.contains(String(decoding: first.method, as: UTF8.self)) else {
                throw .malformed("method")
            }
            return
        }
        headerBytes += line.count + 2
        headerCount += 1
        guard headerBytes <= limits.headerBytes else { throw .headerTooLarge("header too large") }
        guard headerCount <= limits.headerCount else { throw .headerTooLarge("too many headers") }
        // A line that begins with white space would be the continuation of the one before (obs-fold), and white space
        // before the colon is the classic header-smuggling vector: neither is a token character.
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            line[..<colon].allSatisfy(ASCII.isToken)
        else { throw .malformed("header name") }
        let name = line[..<colon].lowercasedText
        let value = Self.trimmed(line[(colon + 1)...])
        guard try takeFraming(name, value) else { return }
        guard let name = HTTPField.Name(parsed: name) else { throw .malformed("header name") }
        // Every byte was checked when its line was read.
        fields.append(HTTPField(name: name, lenientValue: Self.asASCII(value)))
    }

    /// Ends the head at its empty line.
    /// - Returns: The request, the framing of its body, and `true` if the connection ends with it.
    func finished() throws(RequestRefusal) -> (request: HTTPRequest, body: Body, closes: Bool) {
        guard let requestLine, let method = HTTPRequest.Method(String(decoding: requestLine.method, as: UTF8.self))
        else {
            throw .malformed("no request line")
        }
        let closes = asksToClose || !requestLine.isVersion11
        if requestLine.isVersion11 {
            guard host != nil else { throw .malformed("no host") }
        }
        if let authority = requestLine.authority, authority != host { throw .malformed("target of another host") }
        if isChunked {
            guard length == nil else { throw .malformed("two lengths") }
            guard requestLine.isVersion11 else { throw .malformed("chunks in HTTP/1.0") }
        }
        var fields = fields
        // Source: RFC 9110 §10.1.1: in HTTP/1.0 the expectation must be ignored.
        if expectsContinue, requestLine.isVersion11 {
            fields.append(HTTPField(name: .expect, value: "100-continue"))
        }
        if closes { fields.append(HTTPField(name: .connection, value: "close")) }
        let request = HTTPRequest(
            method: method, scheme: isSecure ? "https" : "http", authority: authority,
            path: String(decoding: requestLine.target, as: UTF8.self), headerFields: fields)
        return (request, isChunked ? .chunked : length.map { .length($0) } ?? .none, closes)
    }

    /// Reads the headers that the connection itself needs.
    /// - Returns: `true` if the header is passed on to the routes.
    private mutating func takeFraming(_ name: String, _ value: ArraySlice<UInt8>) throws(RequestRefusal) -> Bool {
        if Self.single.contains(name) {
            guard !seen.contains(name) else { throw .malformed("two \(name) headers") }
            seen.append(name)
        }
        switch name {
        case "host":
            guard Authority.isValid(value) else { throw .malformed("host") }
            authority = String(decoding: value, as: UTF8.self)
            host = value.lowercasedText
            return false
        case "content-length":
            guard !value.isEmpty, value.count <= 18, value.allSatisfy(ASCII.isDigit),
                let bytes = Int(String(decoding: value, as: UTF8.self))
            else {
                throw .malformed("content length")
            }
            guard bytes <= limits.bodyBytes else { throw .bodyTooLarge }
            length = bytes
        case "transfer-encoding":
            guard ASCII.equals(value, "chunked") else { throw .malformed("transfer encoding") }
            isChunked = true
        case "expect":
            guard ASCII.equals(value, "100-continue") else { throw .expectationFailed }
            expectsContinue = true
            return false
        case "connection":
            let options = value.split(separator: UInt8(ascii: ",")).map { Self.trimmed($0) }
            asksToClose = asksToClose || options.contains { ASCII.equals($0, "close") }
            return false
        case "upgrade", "http2-settings", "keep-alive", "proxy-connection":
            // No other protocol is supported.
            return false
        default:
            break
        }
        return true
    }

    /// Returns the value with bytes beyond ASCII percent-encoded, as in a URI: this server and its libraries compare
    /// text of ASCII alone byte by byte. No header that the server reads has other bytes.
    private static func asASCII(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard !value.withUnsafeBytes({ ASCII.isASCII($0) }) else { return value }
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in value {
            encoded += byte < 0x80 ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return encoded[...]
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == ASCII.space || byte == ASCII.tab }
        guard let last = bytes.lastIndex(where: { !isBlank($0) }) else { return [] }
        return bytes[...last].drop(while: isBlank)
    }
}

extension ArraySlice<UInt8> {
    /// The text with the letters of ASCII in lower case.
    fileprivate var lowercasedText: String {
        String(unsafeUninitializedCapacity: count) { buffer in
            for (place, byte) in enumerated() { buffer[place] = ASCII.lowercased(byte) }
            return count
        }
    }
}
