extension EmailAddress {
    /// Returns `true` if a new account may have this address. An account that has another one still signs in with it.
    ///
    /// Invisible characters are rejected: the address would look like another one.
    ///
    /// Domains with a character that mapping changes (`ｅxample.com`) are rejected: mail servers deliver to another spelling,
    /// so that one mailbox would have many addresses here. A top-level domain does not begin with a digit: `192.0.2.1` is an
    /// address without its brackets.
    ///
    /// Source: RFC 5892 §2.2, §2.3 and §2.6 (characters that mapping changes, and the exceptions ß and ς); RFC 5321 §4.1.3;
    /// RFC 1123 §2.1.
    package var isFit: Bool {
        let labels = canonical.unicodeScalars.drop { $0 != "@" }.dropFirst().split(separator: ".")
        guard !text.hasInvisibleCharacters, let first = labels.last?.first, !("0"..."9").contains(first) else {
            return false
        }
        return labels.joined().allSatisfy {
            $0.isASCII || !$0.properties.changesWhenNFKCCaseFolded || $0 == "ß" || $0 == "ς"
        }
    }
}
