/// Parses the head of one request line by line, and checks each line when it is complete.
///
/// Stricter than RFC 9112 requires where another parser in front of the server could read the same bytes differently.
struct RequestHeadParser {
    /// The framing of the body. Source: RFC 9112 §6.
    enum Body: Equatable {
        case none
        case length(Int)
        case chunked
    }

    private let limits: ConnectionLimits
    private var requestLine: RequestLine?
    private var headers = HeaderList()
    private var headerBytes = 0
    private var headerCount = 0
    /// The host as it was sent.
    private var authority: String?
    private var length: Int?
    private var isChunked = false
    private var asksToClose = false
    private var expectsContinue = false
    private var hasAuthorization = false
    private var hasContentType = false

    init(limits: ConnectionLimits) { self.limits = limits }

    /// The host and path (without the query) of the request, as far as the head has arrived.
    var targetHostAndPath: (host: String?, path: String?) { (host, requestLine?.path) }

    private var host: String? { authority?.lowercased() }

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

    /// Refuses an incomplete line that can no longer become valid: a stream of bytes that is not HTTP, or a line
    /// without end.
    ///
    /// - Parameter start: The offset of the bytes that were not checked yet.
    func check(partialLine line: UnsafeRawBufferPointer, from start: Int = 0) throws(RequestRefusal) {
        guard requestLine == nil else {
            guard headerBytes + line.count <= limits.headerBytes else { throw .headerTooLarge("header too large") }
            return
        }
        for index in start..<line.count {
            guard line[index] == ASCII.space || ASCII.isVisible(line[index]) else { throw .malformed("request line") }
            guard index < limits.targetBytes + RequestLine.overhead else { throw .targetTooLong }
        }
    }

    /// - Parameter line: The line without its line end, and without control characters but TAB.
    mutating func take(_ line: UnsafeRawBufferPointer) throws(RequestRefusal) {
        guard requestLine != nil else {
            let first = try RequestLine(line, targetBytes: limits.targetBytes)
            requestLine = first
            // Refused after the line is kept, so that the host and path of the request are known.
            guard first.method == "GET" || first.method == "POST" || Self.methods.contains(first.method) else {
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
        let nameBytes = line.prefix(while: ASCII.isToken).count
        guard nameBytes > 0, nameBytes < line.count, line[nameBytes] == UInt8(ascii: ":") else {
            throw .malformed("header name")
        }
        let name = UnsafeRawBufferPointer(rebasing: line[..<nameBytes])
        let value = Self.trimmed(line[(nameBytes + 1)...])
        if let known = KnownHeader(name) {
            guard try take(known, value) else { return }
        }
        headers.append(name, UnsafeRawBufferPointer(rebasing: value))
    }

    /// Ends the head at its empty line.
    /// - Returns: The request and the framing of its body.
    func finished() throws(RequestRefusal) -> (request: RequestHead, body: Body) {
        guard let requestLine else { throw .malformed("no request line") }
        let isVersion11 = requestLine.isVersion11
        if isVersion11 {
            guard authority != nil else { throw .malformed("no host") }
        }
        if let authority = requestLine.authority, authority != host { throw .malformed("target of another host") }
        if isChunked {
            guard length == nil else { throw .malformed("two lengths") }
            guard isVersion11 else { throw .malformed("chunks in HTTP/1.0") }
        }
        let request = RequestHead(
            method: requestLine.method, authority: authority, path: requestLine.path, query: requestLine.query,
            headers: headers, closes: asksToClose || !isVersion11,
            // Source: RFC 9110 §10.1.1: in HTTP/1.0 the expectation must be ignored.
            expectsContinue: expectsContinue && isVersion11)
        return (request, isChunked ? .chunked : length.map { .length($0) } ?? .none)
    }

    /// Reads a header that the connection itself needs.
    /// - Returns: `true` if the header is passed on to the routes.
    private mutating func take(
        _ header: KnownHeader, _ value: Slice<UnsafeRawBufferPointer>
    ) throws(RequestRefusal) -> Bool {
        switch header {
        case .host:
            guard authority == nil else { throw .malformed("two host headers") }
            guard Authority.isValid(value) else { throw .malformed("host") }
            authority = String(decoding: value, as: UTF8.self)
            return false
        case .contentLength:
            guard length == nil else { throw .malformed("two content-length headers") }
            guard !value.isEmpty, value.count <= 18, value.allSatisfy(ASCII.isDigit),
                let bytes = Int(String(decoding: value, as: UTF8.self))
            else {
                throw .malformed("content length")
            }
            guard bytes <= limits.bodyBytes else { throw .bodyTooLarge }
            length = bytes
        case .transferEncoding:
            guard !isChunked else { throw .malformed("two transfer-encoding headers") }
            guard ASCII.equals(value, "chunked") else { throw .malformed("transfer encoding") }
            isChunked = true
        case .expect:
            guard !expectsContinue else { throw .malformed("two expect headers") }
            guard ASCII.equals(value, "100-continue") else { throw .expectationFailed }
            expectsContinue = true
            return false
        case .connection:
            let options = value.split(separator: UInt8(ascii: ",")).map { Self.trimmed($0) }
            asksToClose = asksToClose || options.contains { ASCII.equals($0, "close") }
            return false
        case .authorization:
            guard !hasAuthorization else { throw .malformed("two authorization headers") }
            hasAuthorization = true
        case .contentType:
            guard !hasContentType else { throw .malformed("two content-type headers") }
            hasContentType = true
        case .otherProtocol:
            return false
        }
        return true
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        guard let last = bytes.lastIndex(where: { !ASCII.isBlank($0) }) else { return bytes.prefix(0) }
        return bytes[...last].drop(while: ASCII.isBlank)
    }
}
