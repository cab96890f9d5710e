@testable import OstiaryEngine
import Testing

@Suite struct IPAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:DB8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"), ("2001:0db8:0001:0002:0::1", "2001:db8:1:2::/64"),
        ("::1", "::/64"),
    ])
    func `counts IPv6 by the /64 and has one spelling`(text: String, network: String) throws {
        #expect(try #require(IPAddress(text)).network == network)
    }

    @Test(arguments: ["", "a", "192.0.2", "192.0.2.256", "[::1]", "::1%eth0", "192.0.2.1:80", " 192.0.2.1", "::1\0"])
    func `takes nothing else for an address`(text: String) {
        #expect(IPAddress(text) == nil)
    }
}
