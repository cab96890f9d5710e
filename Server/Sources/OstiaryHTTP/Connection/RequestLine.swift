/// The first line of a request, with its target in origin form. Source: RFC 9112 §3.
struct RequestLine {
    /// The bytes that a request line can have beside its target.
    static let overhead = longestMethod + " HTTP/1.1".utf8.count + 1
    private static let longestMethod = 32

    let method: String
    /// The authority of a target in absolute form, in lower case; it must equal the request's host.
    let authority: String?
    let path: String
    /// Without its question mark; empty if there is none.
    let query: String
    let isVersion11: Bool

    init(_ line: UnsafeRawBufferPointer, targetBytes: Int) throws(RequestRefusal) {
        guard let methodEnd = line.firstIndex(of: ASCII.space),
            let targetEnd = line[(methodEnd + 1)...].firstIndex(of: ASCII.space),
            !line[(targetEnd + 1)...].contains(ASCII.space)
        else { throw .malformed("request line") }
        let method = line[..<methodEnd]
        guard (1...Self.longestMethod).contains(method.count), method.allSatisfy(ASCII.isToken) else {
            throw .malformed("method")
        }
        let version = line[(targetEnd + 1)...]
        isVersion11 = version.elementsEqual("HTTP/1.1".utf8)
        guard isVersion11 || version.elementsEqual("HTTP/1.0".utf8) else { throw .malformed("version") }
        let target = line[(methodEnd + 1)..<targetEnd]
        guard target.count <= targetBytes else { throw .targetTooLong }
        guard target.allSatisfy({ ASCII.isVisible($0) && $0 != UInt8(ascii: "#") }) else { throw .malformed("target") }
        self.method = String(decoding: method, as: UTF8.self)
        let origin: Slice<UnsafeRawBufferPointer>
        (authority, origin) = try Self.originForm(target, method: method)
        let path = origin.prefix { $0 != UInt8(ascii: "?") }
        let text = String(decoding: path, as: UTF8.self)
        // A target in absolute form may have an empty path.
        self.path = text.isEmpty ? "/" : text
        query = String(decoding: origin[path.endIndex...].dropFirst(), as: UTF8.self)
    }

    private static func originForm(
        _ target: Slice<UnsafeRawBufferPointer>, method: Slice<UnsafeRawBufferPointer>
    ) throws(RequestRefusal) -> (authority: String?, target: Slice<UnsafeRawBufferPointer>) {
        let isConnect = method.elementsEqual("CONNECT".utf8)
        if target.first == UInt8(ascii: "/"), !isConnect { return (nil, target) }
        if target.elementsEqual("*".utf8), method.elementsEqual("OPTIONS".utf8) { return (nil, target) }
        // The authority form belongs to CONNECT, which only a proxy serves.
        guard !isConnect else { throw .malformed("target form") }
        let schemes = ["http://", "https://"]
        guard let scheme = schemes.first(where: { ASCII.equals(target.prefix($0.utf8.count), $0) }) else {
            throw .malformed("target form")
        }
        let rest = target.dropFirst(scheme.utf8.count)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard Authority.isValid(authority) else { throw .malformed("target's authority") }
        return (String(decoding: authority, as: UTF8.self).lowercased(), rest[authority.endIndex...])
    }
}

/// The host and port of a request, without user information, percent-encoding and the empty host.
/// Source: RFC 9110 §7.2.
enum Authority {
    static func isValid(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard bytes.count <= 262 else { return false }
        let port: Slice<UnsafeRawBufferPointer>
        if bytes.first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = bytes[bytes.startIndex..<end].dropFirst()
            guard address.contains(UInt8(ascii: ":")),
                address.allSatisfy({
                    ASCII.hexadecimal($0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
                })
            else { return false }
            port = bytes[(end + 1)...]
        } else {
            let host = bytes.prefix { $0 != UInt8(ascii: ":") }
            guard !host.isEmpty,
                host.allSatisfy({
                    ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
                        || $0 == UInt8(ascii: "_")
                })
            else { return false }
            port = bytes[host.endIndex...]
        }
        guard let colon = port.first else { return true }
        let digits = port.dropFirst()
        return colon == UInt8(ascii: ":") && (1...5).contains(digits.count) && digits.allSatisfy(ASCII.isDigit)
    }
}
