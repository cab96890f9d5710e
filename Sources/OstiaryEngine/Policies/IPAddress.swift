import Foundation

/// An IPv4 or IPv6 address. An IPv4 address written as IPv6 (`::ffff:192.0.2.1`) is the IPv4 address.
public struct IPAddress: Hashable, Sendable {
    /// 4 or 16 bytes, the most significant first.
    public let bytes: [UInt8]

    /// Parses the text forms of RFC 4291 §2.2 and dotted IPv4; zones, brackets and ports are not accepted.
    ///
    /// - Returns: `nil` for any other text.
    public init?(_ text: String) {
        guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            let all = withUnsafeBytes(of: six) { Array($0) }
            let isMapped = all.prefix(10).allSatisfy { $0 == 0 } && all[10] == 0xFF && all[11] == 0xFF
            bytes = isMapped ? Array(all.suffix(4)) : all
        } else {
            return nil
        }
    }

    /// - Parameter bytes: 4 or 16.
    init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// 0.0.0.0, which no host has. Source: RFC 1122 §3.2.1.3.
    public static let unspecified = IPAddress(unchecked: [0, 0, 0, 0])

    /// `true` for an IPv6 address, `false` for an IPv4 address.
    public var isIPv6: Bool { bytes.count == 16 }

    /// `true` for an address in 127.0.0.0/8 and for ::1.
    public var isLoopback: Bool {
        isIPv6 ? bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1 : bytes.first == 127
    }

    /// Returns `true` for the host of a URL that is this machine: `localhost` in any letter case, and loopback
    /// addresses. Names are compared, not resolved. IPv6 addresses may have brackets.
    public static func isLoopback(host: String) -> Bool {
        let isBracketed = host.utf8.first == UInt8(ascii: "[") && host.utf8.last == UInt8(ascii: "]")
        if isBracketed, let address = IPAddress(String(host.dropFirst().dropLast())) {
            return address.isLoopback && host.utf8.contains(UInt8(ascii: ":"))
        }
        return host.utf8.map { $0 | 0x20 }.elementsEqual("localhost".utf8) || IPAddress(host)?.isLoopback == true
    }

    /// The network that attempts are counted by: the address, or the /64 of an IPv6 address, since one subscriber has
    /// that many.
    public var network: String { isIPv6 ? "\(prefix(bits: 64))/64" : description }

    /// Returns this address with all bits after the first `count` cleared.
    public func prefix(bits count: Int) -> IPAddress {
        IPAddress(
            unchecked: bytes.enumerated().map { index, byte in
                let kept = min(8, max(0, count - index * 8))
                return kept == 0 ? 0 : byte & (0xFF << UInt8(8 - kept))
            })
    }
}

extension IPAddress: CustomStringConvertible {
    /// Dotted decimal, or eight groups of hexadecimal digits, the longest run of zeros as `::` (RFC 5952).
    public var description: String {
        guard isIPv6 else { return Self.dotted(bytes) }
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, bytes, &buffer, socklen_t(buffer.count)) != nil else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Each request writes one, and an interpolation costs ten times as much.
    private static func dotted(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: 15) { text in
            var end = 0
            for (place, byte) in bytes.enumerated() {
                if place > 0 {
                    text[end] = UInt8(ascii: ".")
                    end += 1
                }
                for (unit, power) in [100, 10, 1].enumerated() where unit == 2 || byte >= power {
                    text[end] = UInt8(ascii: "0") + byte / UInt8(power) % 10
                    end += 1
                }
            }
            return end
        }
    }
}
