import Foundation
public import OstiaryCore

extension EmailAddress {
    /// This address with A-labels in its domain, which every mail server accepts; unchanged if the domain has no such form.
    ///
    /// Source: RFC 5891 §4.4 and §5.5. The domain is mapped first (RFC 5895 §2): imported addresses may need it.
    public var withASCIIDomain: EmailAddress {
        guard text.utf8.contains(where: { $0 >= 0x80 }), let at = text.utf8.firstIndex(of: UInt8(ascii: "@")) else {
            return self
        }
        // By bytes: a combining mark after the `@` would join it.
        let start = text.utf8.index(after: at)
        let typed = String(text[start...]).precomposedStringWithCompatibilityMapping
        // Cherokee capitals are the form that mapping keeps.
        let domain = typed.unicodeScalars
            .map { $0.properties.changesWhenNFKCCaseFolded ? $0.properties.lowercaseMapping : String($0) }.joined()
        let labels = domain.precomposedStringWithCanonicalMapping.unicodeScalars
            .split(separator: ".", omittingEmptySubsequences: false)
            .map { label in
                label.allSatisfy(\.isASCII) ? String(label) : Punycode.encode(Array(label)).map { "xn--\($0)" }
            }
        guard !labels.contains(nil) else { return self }
        let address = "\(text[..<start])\(labels.compactMap(\.self).joined(separator: "."))"
        return (try? EmailAddress(address)) ?? self
    }
}
