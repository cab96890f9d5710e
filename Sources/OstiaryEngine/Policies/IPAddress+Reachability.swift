extension IPAddress {
    /// 127.0.0.1, this machine.
    public static let loopback = IPAddress(unchecked: [127, 0, 0, 1])

    /// Creates an address from 4 or 16 bytes, the most significant first.
    ///
    /// - Returns: `nil` for another number of bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        let isMapped =
            bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        self.init(unchecked: isMapped ? Array(bytes.suffix(4)) : bytes)
    }

    /// `true` for an address that a group of hosts has.
    public var isMulticast: Bool { isIPv6 ? bytes[0] == 0xFF : (224...239).contains(bytes[0]) }

    /// `true` for an address of a host on the public internet: none that is private, shared, of this machine or link, for
    /// documentation or reserved, and none that a translator maps to such an IPv4 address.
    ///
    /// Source: IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890).
    public var isGloballyReachable: Bool {
        if isIPv6 {
            // Only 2000::/3 is assigned for unicast; the well-known prefix of NAT64 is outside of it.
            if let translated = translatedIPv4 { return translated.isGloballyReachable }
            guard bytes[0] & 0xE0 == 0x20 else { return false }
            return !Self.reservedIPv6.contains { $0.contains(self) }
        }
        return !Self.reservedIPv4.contains { $0.contains(self) }
    }

    /// The IPv4 address that this IPv6 address stands for at a translator: NAT64 (RFC 6052) and 6to4 (RFC 3056).
    private var translatedIPv4: IPAddress? {
        if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) {
            return IPAddress(unchecked: Array(bytes.suffix(4)))
        }
        return bytes.starts(with: [0x20, 0x02]) ? IPAddress(unchecked: Array(bytes[2..<6])) : nil
    }

    private static let reservedIPv4 = ranges([
        ("0.0.0.0", 8), ("10.0.0.0", 8), ("100.64.0.0", 10), ("127.0.0.0", 8), ("169.254.0.0", 16), ("172.16.0.0", 12),
        ("192.0.0.0", 24), ("192.0.2.0", 24), ("192.88.99.0", 24), ("192.168.0.0", 16), ("198.18.0.0", 15),
        ("198.51.100.0", 24), ("203.0.113.0", 24), ("224.0.0.0", 4), ("240.0.0.0", 4),
    ])

    /// The ranges of 2000::/3 that no host on the public internet has: Teredo and other protocol assignments, benchmarking,
    /// documentation.
    private static let reservedIPv6 = ranges([("2001::", 23), ("2001:db8::", 32), ("3fff::", 20)])

    private static func ranges(_ texts: [(String, Int)]) -> [AddressRange] {
        texts.compactMap { text, length in
            IPAddress(text).flatMap { AddressRange(first: $0, prefixLength: length) }
        }
    }
}
