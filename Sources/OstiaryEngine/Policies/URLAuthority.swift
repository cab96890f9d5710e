/// The host and the port of a URL. Every reader of the same text finds the same host in it. Source: RFC 3986 §3.2.
public struct URLAuthority: Hashable, Sendable {
    /// A name, which is not checked, or an address; an IPv6 address without its brackets.
    public let host: String
    /// The port, from 1 to 65535; nil if the text has none.
    public let port: Int?
    /// `true` for an IPv6 address, which has brackets.
    public let isBracketed: Bool

    /// Reads `host`, `host:port` or `[address]:port`, without a user.
    ///
    /// - Returns: Nil for another port, and for brackets around what is no IPv6 address.
    public init?(_ text: Substring) {
        var name = text
        var port: Int?
        if let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), !text[colon...].utf8.contains(UInt8(ascii: "]")) {
            let digits = text[text.utf8.index(after: colon)...]
            guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(digits), (1...65535).contains(number)
            else { return nil }
            port = number
            name = text[..<colon]
        }
        self.port = port
        isBracketed = name.utf8.first == UInt8(ascii: "[") && name.utf8.last == UInt8(ascii: "]")
        host = isBracketed ? String(name.dropFirst().dropLast()) : String(name)
        guard !isBracketed || host.utf8.contains(UInt8(ascii: ":")) && IPAddress(host) != nil else { return nil }
    }
}
