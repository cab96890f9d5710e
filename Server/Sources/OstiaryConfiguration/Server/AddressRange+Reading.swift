import OstiaryEngine

extension AddressRange {
    /// Reads CIDR notation: `10.0.0.0/8`, `fd00::/8`, or one address.
    init(_ setting: Setting) throws(ConfigurationProblem) {
        let parts = try setting.string().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = IPAddress(String(parts[0])) else {
            throw setting.problem("needs addresses or ranges such as 10.0.0.0/8 or fd00::/8")
        }
        let bits = first.bytes.count * 8
        let text = parts.count == 2 ? String(parts[1]) : String(bits)
        guard let length = Int(text), (0...bits).contains(length), String(length) == text else {
            throw setting.problem("needs a length from 1 to \(bits) after the /")
        }
        guard length > 0 else { throw setting.problem("needs a length above 0: this would trust every address") }
        guard let range = AddressRange(first: first, prefixLength: length) else {
            throw setting.problem("needs the first address of the range: \(first.prefix(bits: length))/\(length)")
        }
        self = range
    }
}
