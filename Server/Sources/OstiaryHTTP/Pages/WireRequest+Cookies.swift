import OstiaryContracts

extension WireRequest {
    /// Returns the cookie of that name; nil if there is none, or more than one, since this server's cannot be told from
    /// the others.
    ///
    /// Source: RFC 6265bis §4.2.1.
    func cookie(_ name: String) -> Substring? {
        var values: [Substring] = []
        for pair in (headers["cookie"] ?? "").utf8.split(separator: UInt8(ascii: ";")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].drop(while: { $0 == 0x20 }).elementsEqual(name.utf8) else { continue }
            values.append(Substring(parts[1]))
        }
        return values.count == 1 ? values[0] : nil
    }
}
