import OstiaryEngine
import Testing

/// The addresses that requests to other systems are sent to.
@Suite struct AddressReachabilityTests {
    @Test(arguments: [
        "8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.0", "100.63.255.255", "100.128.0.0", "192.0.1.0",
        "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1111", "2a00:1450::1", "64:ff9b::808:808",
    ])
    func `reaches the public internet`(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.isGloballyReachable && EventURLPolicy().allows(address))
    }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.255",
        "169.254.0.1",
        "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.0.1",
        "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
        "255.255.255.255", "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1",
        "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::1", "2002:a00:1::1", "3fff::1", "5f00::1",
        "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1", "4000::1",
    ])
    func `WH-01: refuses private, reserved and translated addresses`(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(!address.isGloballyReachable && !EventURLPolicy().allows(address))
    }

    @Test func `development allows this machine alone, and allow_private allows private networks`() throws {
        let development = EventURLPolicy(allowsPlainLoopback: true)
        #expect(try development.allows(#require(IPAddress("127.0.0.1"))))
        #expect(try development.allows(#require(IPAddress("::1"))))
        #expect(try !development.allows(#require(IPAddress("10.0.0.1"))))
        let inside = EventURLPolicy(allowsPrivate: true)
        #expect(try inside.allows(#require(IPAddress("10.0.0.1"))) && inside.allows(#require(IPAddress("fe80::1"))))
        #expect(try inside.allows(#require(IPAddress("127.0.0.1"))))
        #expect(try !inside.allows(#require(IPAddress("224.0.0.1"))) && !inside.allows(#require(IPAddress("0.0.0.0"))))
    }

    @Test(arguments: [
        "https://a.example.com", "https://a.example.com/x?y=%20", "https://a.example.com:8443/", "https://8.8.8.8/",
        "https://[2606:4700::1111]:443/",
    ])
    func `accepts https URLs of public hosts`(url: String) throws { try EventURLPolicy().check(url) }

    @Test(arguments: [
        ("http://a.example.com/", EventURLPolicy.Problem.insecure), ("http://localhost/", .insecure),
        ("https://localhost/", .address), ("https://LOCALHOST:1/", .address), ("https://127.0.0.1/", .address),
        ("https://[::1]/", .address), ("https://[::ffff:127.0.0.1]/", .address), ("https://10.0.0.1/", .address),
        ("https://a@b.example.com/", .malformed), ("https://a.example.com\\@b/", .malformed),
        ("HTTPS://a.example.com/", .malformed), ("https:///", .malformed), ("https://[fe80::1%25eth0]/", .malformed),
        ("https://0177.0.0.1/", .malformed), ("https://127.1/", .malformed), ("https://a..b/", .malformed),
        ("https://a.example.com:99999/", .malformed), ("https://a b/", .malformed), ("//a.example.com", .malformed),
    ])
    func `refuses other URLs`(url: String, problem: EventURLPolicy.Problem) {
        #expect(throws: problem) { try EventURLPolicy().check(url) }
    }

    @Test func `plain HTTP is for this machine in development`() throws {
        let development = EventURLPolicy(allowsPlainLoopback: true)
        for url in ["http://127.0.0.1:8080/", "http://localhost/", "http://[::1]:1/"] { try development.check(url) }
        #expect(throws: EventURLPolicy.Problem.insecure) { try development.check("http://a.example.com/") }
    }
}
