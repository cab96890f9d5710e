/// A range of IP addresses: all that share a prefix (CIDR). Source: RFC 4632 §3.1, RFC 4291 §2.3.
public struct AddressRange: Hashable, Sendable {
    /// The first address of the range.
    public let first: IPAddress
    /// The number of leading bits that all addresses of the range share.
    public let prefixLength: Int

    /// Creates a range from its first address and prefix length.
    ///
    /// - Returns: `nil` for a length that is out of range, or an address that is not the first of the range.
    public init?(first: IPAddress, prefixLength: Int) {
        guard (0...first.bytes.count * 8).contains(prefixLength), first.prefix(bits: prefixLength) == first else {
            return nil
        }
        self.first = first
        self.prefixLength = prefixLength
    }

    /// Parses CIDR notation, for example `10.0.0.0/8`, or one address.
    ///
    /// - Returns: `nil` for any other text, and for an address that is not the first of the range.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = IPAddress(String(Substring(parts[0]))) else { return nil }
        guard parts.count == 2 else {
            self.init(first: first, prefixLength: first.bytes.count * 8)
            return
        }
        guard (1...3).contains(parts[1].count), parts[1].allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(String(Substring(parts[1])))
        else { return nil }
        self.init(first: first, prefixLength: length)
    }

    /// Returns `true` if the address is in the range.
    public func contains(_ address: IPAddress) -> Bool {
        address.bytes.count == first.bytes.count && address.prefix(bits: prefixLength) == first
    }
}

extension AddressRange: CustomStringConvertible {
    /// The range in CIDR notation, for example `10.0.0.0/8`.
    public var description: String { "\(first)/\(prefixLength)" }
}
