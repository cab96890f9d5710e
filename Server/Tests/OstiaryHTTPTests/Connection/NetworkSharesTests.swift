import OstiaryEngine
import Testing

@testable import OstiaryHTTP

@Suite struct NetworkSharesTests {
    private func network(_ address: String) throws -> IPAddress {
        NetworkShares.network(of: try #require(IPAddress(address)))
    }

    @Test func `PT-04: a network has its share and no more, and has it again`() throws {
        var shares = NetworkShares()
        let network = try network("192.0.2.1")
        let other = try self.network("192.0.2.2")
        let admitted = (0..<4).map { _ in shares.admit(network, share: 3) }
        #expect(admitted == [true, true, true, false])
        shares.release(network)
        let later = [shares.admit(network, share: 3), shares.admit(other, share: 3)]
        #expect(later == [true, true])
    }

    @Test func `PT-04: forgets networks without a connection`() throws {
        var shares = NetworkShares()
        for number in 0..<200 {
            let network = try network("192.0.2.\(number)")
            let isAdmitted = shares.admit(network, share: 1)
            #expect(isAdmitted)
            shares.release(network)
        }
        #expect(shares.count == 0)
    }

    @Test(arguments: [
        ("2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff", true), ("2001:db8::1", "2001:db8:0:1::1", false),
        ("::ffff:192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
    ])
    func `PT-04: a network is an IPv4 address or an IPv6 address's first 64 bits`(
        one: String, other: String, isSame: Bool
    ) throws {
        let (one, other) = (try network(one), try network(other))
        #expect((one == other) == isSame)
    }

    @Test(arguments: [(10_000, 625), (1_000, 62), (320, 20), (100, 16), (10, 10), (1, 1)])
    func `PT-04: the share is a sixteenth, but not too few`(connections: Int, share: Int) {
        var limits = ConnectionLimits()
        limits.connections = connections
        #expect(limits.connectionsPerNetwork == share)
    }
}
