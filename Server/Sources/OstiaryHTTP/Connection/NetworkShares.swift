import OstiaryEngine

/// The number of open connections of each client network: an IPv4 address, or an IPv6 address's /64. Pure.
struct NetworkShares {
    private var open: [IPAddress: Int] = [:]

    /// Returns the network of an address, represented by its first address.
    static func network(of address: IPAddress) -> IPAddress {
        address.isIPv6 ? address.prefix(bits: 64) : address
    }

    /// Reserves a place among at most `share` connections of a network; returns `false` if there is none.
    mutating func admit(_ network: IPAddress, share: Int) -> Bool {
        let count = open[network, default: 0]
        guard count < share else { return false }
        open[network] = count + 1
        return true
    }

    mutating func release(_ network: IPAddress) {
        guard let count = open[network] else { return }
        open[network] = count > 1 ? count - 1 : nil
    }

    /// The number of networks with an open connection, which alone bounds the memory used.
    var count: Int { open.count }
}
