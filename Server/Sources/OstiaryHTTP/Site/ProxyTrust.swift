public import OstiaryEngine

/// Whose word about the client's address is taken.
///
/// Only `X-Forwarded-For` is read, only from a trusted proxy, and from the right: the first address that is not a trusted
/// proxy's is the client's. What stands further left is whatever the client wrote.
public struct ProxyTrust: Sendable {
    private let proxies: [AddressRange]

    public init(proxies: [AddressRange] = []) { self.proxies = proxies }

    /// - Parameter forwarded: The values of `X-Forwarded-For`, in the order of the headers.
    func client(peer: IPAddress, forwarded: [String]) -> IPAddress {
        guard isTrusted(peer) else { return peer }
        var client = peer
        let hops = forwarded.joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false)
        for hop in hops.reversed() {
            // A hop that is no address was not written by a proxy of ours: the one before it is as far as we can see.
            guard let address = IPAddress(hop.filter { $0 != " " && $0 != "\t" }) else { return client }
            client = address
            guard isTrusted(address) else { return client }
        }
        return client
    }

    private func isTrusted(_ address: IPAddress) -> Bool { proxies.contains { $0.contains(address) } }
}
