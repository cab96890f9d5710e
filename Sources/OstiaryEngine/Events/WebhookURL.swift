/// The parts of an absolute http or https URL without user and fragment, read without any decoding.
///
/// Narrower than RFC 3986, so that every reader of the same text finds the same host in it.
struct WebhookURL {
    let isSecure: Bool
    /// Without brackets.
    let host: String

    init?(_ text: String) {
        let symbols = Set("-._~:/?[]!$&'()*+,;=%".utf8)
        guard text.utf8.count <= EventURLPolicy.maximumBytes,
            text.utf8.allSatisfy({ $0.isLetterOrDigit || symbols.contains($0) })
        else { return nil }
        let rest: Substring
        if text.utf8.starts(with: "https://".utf8) {
            (isSecure, rest) = (true, text.dropFirst(8))
        } else if text.utf8.starts(with: "http://".utf8) {
            (isSecure, rest) = (false, text.dropFirst(7))
        } else {
            return nil
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let host = Self.host(authority) else { return nil }
        self.host = host
    }

    private static func host(_ authority: Substring) -> String? {
        guard let authority = URLAuthority(authority), authority.isBracketed || isName(authority.host) else {
            return nil
        }
        return authority.host
    }

    /// Returns `true` for a host name or a dotted IPv4 address. Other forms of addresses (`0x7f.1`, `2130706433`) are refused:
    /// resolvers read them differently.
    private static func isName(_ name: String) -> Bool {
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isPlain = labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
        }
        guard isPlain, name.utf8.count <= 253, let last = labels.last, let first = last.first else { return false }
        let isNumeric = (0x30...0x39).contains(first)
        return !isNumeric || IPAddress(name) != nil
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
