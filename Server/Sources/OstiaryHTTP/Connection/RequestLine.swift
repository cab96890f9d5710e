/// The first line of a request, with its target in origin form. Source: RFC 9112 §3.
struct RequestLine {
    /// The bytes that a request line can have beside its target.
    static let overhead = longestMethod + " HTTP/1.1".utf8.count + 1
    private static let longestMethod = 32

    let method: ArraySlice<UInt8>
    let target: ArraySlice<UInt8>
    /// The authority of a target in absolute form, in lower case; it must equal the request's host.
    let authority: String?
    let isVersion11: Bool

    init(_ line: [UInt8], targetBytes: Int) throws(RequestRefusal) {
        let parts = line.split(separator: ASCII.space, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .malformed("request line") }
        method = parts[0]
        guard (1...Self.longestMethod).contains(method.count), method.allSatisfy(ASCII.isToken) else {
            throw .malformed("method")
        }
        switch String(decoding: parts[2], as: UTF8.self) {
        case "HTTP/1.1": isVersion11 = true
        case "HTTP/1.0": isVersion11 = false
        default: throw .malformed("version")
        }
        guard parts[1].count <= targetBytes else { throw .targetTooLong }
        guard parts[1].allSatisfy({ ASCII.isVisible($0) && $0 != UInt8(ascii: "#") }) else {
            throw .malformed("target")
        }
        (authority, target) = try Self.originForm(parts[1], method: method)
    }

    private static func originForm(
        _ target: ArraySlice<UInt8>, method: ArraySlice<UInt8>
    ) throws(RequestRefusal) -> (authority: String?, target: ArraySlice<UInt8>) {
        let isConnect = method.elementsEqual("CONNECT".utf8)
        if target.first == UInt8(ascii: "/"), !isConnect { return (nil, target) }
        if target.elementsEqual("*".utf8), method.elementsEqual("OPTIONS".utf8) { return (nil, target) }
        // The authority form belongs to CONNECT, which only a proxy serves.
        guard !isConnect else { throw .malformed("target form") }
        let text = String(decoding: target, as: UTF8.self).lowercased()
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { throw .malformed("target form") }
        let rest = target.dropFirst(scheme.utf8.count)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard Authority.isValid(authority) else { throw .malformed("target's authority") }
        let path = rest[authority.endIndex...]
        return (
            String(decoding: authority, as: UTF8.self).lowercased(),
            path.first == UInt8(ascii: "/") ? path : [UInt8(ascii: "/")] + path
        )
    }
}

/// The host and port of a request, without user information, percent-encoding and the empty host.
/// Source: RFC 9110 §7.2.
enum Authority {
    static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count <= 262 else { return false }
        let port: ArraySlice<UInt8>
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
                    ASCII.isLetter($0) || ASCII.isDigit($0) || "-._".utf8.contains($0)
                })
            else { return false }
            port = bytes[host.endIndex...]
        }
        guard let colon = port.first else { return true }
        let digits = port.dropFirst()
        return colon == UInt8(ascii: ":") && (1...5).contains(digits.count) && digits.allSatisfy(ASCII.isDigit)
    }
}
