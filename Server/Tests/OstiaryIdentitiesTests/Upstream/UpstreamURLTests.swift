import Testing

@testable import OstiaryIdentities

@Suite struct UpstreamURLTests {
    @Test(arguments: [
        ("https://Example.com/Path?q", "https://example.com", 443),
        ("HTTPS://example.com:443", "https://example.com", 443),
        ("http://127.0.0.1:80/x", "http://127.0.0.1", 80), ("http://[::1]:8080/", "http://[::1]:8080", 8080),
        ("https://example.com?a@b", "https://example.com", 443),
    ])
    func `finds the origin`(text: String, origin: String, port: Int) throws {
        let url = try #require(UpstreamURL(text))
        #expect(url.text == text)
        #expect(url.origin == origin)
        #expect(url.port == port)
    }

    @Test(arguments: [
        "", "https://", "https:///x", "example.com", "https:/example.com", "https://a b/", "https://user@example.com/",
        "https://example.com:/", "https://example.com:0/", "https://example.com:65536/", "https://example.com:1a/",
        "https://example.com/#x", "https://exa\u{6D}ple.com\u{301}/", "https://[example.com]/", "https://[1.2.3.4]/",
        "https://example.com\\@evil.example/", "https://exam%70le.com/", "https://example.com/\n", "https://[::1/",
    ])
    func `refuses what readers could take for two things`(text: String) {
        #expect(UpstreamURL(text) == nil)
    }

    @Test(arguments: [
        ("http://localhost/", true), ("http://127.9.9.9/", true), ("http://[::1]/", true),
        ("http://[::ffff:127.0.0.1]/", true),
        ("http://127.0.0.1.example.com/", false), ("http://127.1/", false), ("http://0.0.0.0/", false),
        ("http://localhost.example.com/", false), ("http://10.0.0.1/", false), ("http://[::2]/", false),
    ])
    func `knows this machine`(text: String, isLoopback: Bool) {
        #expect(UpstreamURL(text)?.isLoopback == isLoopback)
    }
}
