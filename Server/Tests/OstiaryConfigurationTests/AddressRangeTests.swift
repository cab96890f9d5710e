import OstiaryEngine
import OstiaryConfiguration
import OstiaryEngine
import Testing

@Suite struct AddressRangeTests {
    @Test(arguments: [
        ("127.0.0.1/32", "127.0.0.1", true),
        ("127.0.0.1/32", "127.0.0.2", false),
        ("127.0.0.1", "::ffff:127.0.0.1", true),
        ("::ffff:127.0.0.1", "127.0.0.1", true),
        ("10.0.0.0/8", "10.255.255.255", true),
        ("10.0.0.0/8", "11.0.0.0", false),
        ("10.0.0.0/8", "::ffff:10.1.2.3", true),
        ("192.168.4.0/22", "192.168.7.255", true),
        ("192.168.4.0/22", "192.168.8.0", false),
        ("128.0.0.0/1", "200.1.1.1", true),
        ("128.0.0.0/1", "100.1.1.1", false),
        ("fd00::/8", "fdff::1", true),
        ("fd00::/8", "fe00::1", false),
        ("2001:db8:0:8000::/49", "2001:DB8:0:FFFF::1", true),
        ("2001:db8:0:8000::/49", "2001:db8:0:7fff::1", false),
        ("::1/128", "::1", true),
        ("::1/128", "0:0:0:0:0:0:0:1", true),
        ("::1/128", "127.0.0.1", false),
        ("10.0.0.0/8", "010.0.0.1", false),
        ("10.0.0.0/8", "10.1", false),
        ("10.0.0.0/8", "10.0.0.1:80", false),
        ("fd00::/8", "fd00::1%eth0", false),
        ("fd00::/8", "", false),
    ])
    func `contains an address or not`(range: String, address: String, isInside: Bool) throws {
        let configuration = try read(["OSTIARY_TRUSTED_PROXIES": range])
        let proxies = try #require(configuration.trustedProxies.first)
        #expect((IPAddress(address).map { proxies.contains($0) } ?? false) == isInside)
    }

    @Test(arguments: ["10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/", "10.0.0.0/-1", "fd00::/129", "/8", "", "10.0.0.0/8/8"])
    func `refuses what is no range`(range: String) {
        #expect(
            refusal("mode: development\ntrusted_proxies: [\"\(range)\"]")?.hasPrefix("ostiary.yaml:2: trusted_proxies")
                == true)
    }
}
