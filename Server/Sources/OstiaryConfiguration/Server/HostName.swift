import OstiaryEngine

/// A host name or an IPv4 address, in lower case.
///
/// Source: RFC 1123 §2.1.
package struct HostName {
    package let text: String

    package init?(_ text: String) {
        let labels = text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard (1...253).contains(text.utf8.count),
            labels.allSatisfy({ label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
            })
        else { return nil }
        // Text that looks like an IPv4 address must be one, or 127.1 and 0177.0.0.1 would be names for addresses.
        if let last = labels.last, last.utf8.allSatisfy(\.isDigit), IPAddress(text) == nil { return nil }
        self.text = text.lowercased()
    }
}
