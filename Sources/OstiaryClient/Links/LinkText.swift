import OstiaryContracts
import OstiaryCore

/// An untrusted URL, split into its parts.
struct LinkText {
    /// The scheme, in lower case.
    let scheme: String
    let authority: String
    let path: String
    private let query: Substring

    /// Splits a URL.
    ///
    /// - Returns: Nil for a text that is too long, is not printable ASCII, contains a backslash or user information, or
    ///   has no `://`.
    init?(_ address: String, atMost maximumBytes: Int) {
        guard address.utf8.count <= maximumBytes, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !address.utf8.contains(UInt8(ascii: "\\"))
        else { return nil }
        let visible = Substring(address.utf8.prefix { $0 != UInt8(ascii: "#") })
        let halves = visible.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let head = halves[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard head.count == 2, !head[0].isEmpty, head[1].hasPrefix("//") else { return nil }
        let rest = head[1].dropFirst(2)
        authority = String(rest.prefix { $0 != "/" })
        // User information before the host is used to deceive users.
        guard !authority.contains("@") else { return nil }
        path = String(rest.dropFirst(authority.count))
        scheme = String(head[0]).asciiLowercased
        query = halves.count > 1 ? halves[1] : ""
    }

    /// Returns a query parameter that can have several names. One with a control character is unreadable. A plus is not
    /// decoded as a space, because phone numbers begin with one.
    func value(ofOneOf names: Set<String>) -> ParameterReader.Single {
        let value = ParameterReader(query, plusIsSpace: false).single(names)
        guard case .found(let text) = value, !text.unicodeScalars.allSatisfy(\.isPrintable) else { return value }
        return .unreadable
    }
}
