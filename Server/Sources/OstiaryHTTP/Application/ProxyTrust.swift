package import OstiaryEngine

/// The proxies whose statement of the client's address is trusted.
///
/// Only `X-Forwarded-For` is read, only from a trusted proxy, and from the right: the first address that is not a
/// trusted proxy's is the client's. The client controls everything to the left of it.
package struct ProxyTrust: Sendable {
    private let proxies: [AddressRange]

    package init(proxies: [AddressRange] = []) { self.proxies = proxies }

    /// - Parameter forwarded: The values of `X-Forwarded-For`, in the order of the headers.
    func client(peer: IPAddress, forwarded: [String]) -> IPAddress {
        guard isTrusted(peer) else { return peer }
        var client = peer
        let hops = forwarded.joined(separator: ",").utf8
            .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        for hop in hops.reversed() {
            let bytes = hop.filter { $0 != ASCII.space && $0 != ASCII.tab }
            // A hop that is not an address was not written by a trusted proxy: the address before it is the last known
            // one.
            guard bytes.allSatisfy({ $0 < 0x80 }), let address = IPAddress(String(decoding: bytes, as: UTF8.self))
            else {
                return client
            }
            client = address
            guard isTrusted(address) else { return client }
        }
        return client
    }

    func isTrusted(_ address: IPAddress) -> Bool { proxies.contains { $0.contains(address) } }
}
