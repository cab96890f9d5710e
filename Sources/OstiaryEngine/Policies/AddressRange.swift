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

    /// Returns `true` if the address is in the range.
    public func contains(_ address: IPAddress) -> Bool {
        address.bytes.count == first.bytes.count && address.prefix(bits: prefixLength) == first
    }
}

extension AddressRange: CustomStringConvertible {
    /// The range in CIDR notation, for example `10.0.0.0/8`.
    public var description: String { "\(first)/\(prefixLength)" }
}
