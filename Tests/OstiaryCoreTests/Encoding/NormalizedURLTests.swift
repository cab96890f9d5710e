import OstiaryCore
import Testing

@Suite struct NormalizedURLTests {
    @Test(arguments: [
        ("HTTPS://API.Example.com/a", "https://api.example.com/a"),
        ("https://api.example.com:443/a", "https://api.example.com/a"),
        ("http://api.example.com:80/a", "http://api.example.com/a"),
        ("https://api.example.com:/a", "https://api.example.com/a"),
        ("https://api.example.com", "https://api.example.com/"),
        ("https://api.example.com?q=1", "https://api.example.com/"),
        ("https://api.example.com/a?q=1#f", "https://api.example.com/a"),
        ("https://api.example.com/a#f?q", "https://api.example.com/a"),
        ("https://api.example.com/%7euser/%2f", "https://api.example.com/~user/%2F"),
        ("https://api.example.com/a/./b/../c", "https://api.example.com/a/c"),
        ("https://api.example.com/a/b/..", "https://api.example.com/a/"),
        ("https://api.example.com/%2e%2e/a", "https://api.example.com/a"),
        ("https://api.example.com/../../a", "https://api.example.com/a"),
        ("https://[2001:DB8::1]:8443/a", "https://[2001:db8::1]:8443/a"),
    ])
    func `equivalent URLs are equal`(one: String, other: String) throws {
        let (one, other) = (try #require(NormalizedURL(one)), try #require(NormalizedURL(other)))
        #expect(one == other)
    }

    @Test(arguments: [
        ("https://api.example.com/a", "http://api.example.com/a"),
        ("https://api.example.com/a", "https://api.example.com:8443/a"),
        ("https://api.example.com/a", "https://api.example.com/A"),
        ("https://api.example.com/a", "https://api.example.com/a/"),
        ("https://api.example.com/a%2Fb", "https://api.example.com/a/b"),
        ("https://api.example.com/a//b", "https://api.example.com/a/b"),
        ("https://api.example.com.evil.org/a", "https://api.example.com/a"),
    ])
    func `other URLs are not`(one: String, other: String) throws {
        let (one, other) = (try #require(NormalizedURL(one)), try #require(NormalizedURL(other)))
        #expect(one != other)
    }

    @Test(arguments: [
        "", "api.example.com/a", "/a", "ftp://api.example.com/", "https:/api.example.com", "https://", "https:///a",
        "https://user@api.example.com/", "https://user:word@api.example.com/", "https://api.example.com:x/",
        "https://api.example.com:0/", "https://api.example.com:65536/", "https://api.example.com:443443/",
        "https://api.example.com/%", "https://api.example.com/%4", "https://api.example.com/%zz",
        "https://bücher.example/", "https://api.example.com/ü", "https://api.example.com/a b", "https://[::1/",
        "https://[]/", "https://[::1]x/", "https://api.exam\u{0}ple.com/",
    ])
    func `a text that is no URL of a request is rejected`(text: String) { #expect(NormalizedURL(text) == nil) }

    @Test func `a long text is rejected before it is parsed`() {
        let path = String(repeating: "a", count: NormalizedURL.maximumBytes)
        #expect(NormalizedURL("https://api.example.com/\(path)") == nil)
    }
}
