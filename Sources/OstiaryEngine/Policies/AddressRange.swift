/// A range of IP addresses: all that share the leading bits of one. Source: RFC 4632 §3.1, RFC 4291 §2.3.
public struct AddressRange: Hashable, Sendable {
    public let first: IPAddress
    /// How many leading bits all addresses of the range share.
    public let prefixLength: Int

    /// - Returns: Nil for a length that is out of range, or an address that is not the first of the range.
    public init?(first: IPAddress, prefixLength: Int) {
        guard (0...first.bytes.count * 8).contains(prefixLength), first.prefix(bits: prefixLength) == first else {
            return nil
        }
        self.first = first
        self.prefixLength = prefixLength
    }

    public func contains(_ address: IPAddress) -> Bool {
        address.bytes.count == first.bytes.count && address.prefix(bits: prefixLength) == first
    }
}

extension AddressRange: CustomStringConvertible {
    public var description: String { "\(first)/\(prefixLength)" }
}
