import OstiaryClient
import Testing

struct BaseURLTests {
    @Test(arguments: [
        ("https://auth.example.com", "https://auth.example.com"),
        ("https://auth.example.com/", "https://auth.example.com"),
        ("HTTPS://Auth.Example.COM:443/Vici//", "https://auth.example.com/Vici"),
        ("https://auth.example.com:8443/vici", "https://auth.example.com:8443/vici"),
        ("http://127.0.0.1:3001/vici", "http://127.0.0.1:3001/vici"),
        ("http://localhost:80", "http://localhost"),
        ("http://[::1]:3001", "http://[::1]:3001"),
    ])
    func `spells an address in one way`(_ text: String, _ canonical: String) throws {
        #expect(try BaseURL(text).text == canonical)
    }

    @Test(arguments: [
        "http://example.com", "http://127.0.0.1.example.com", "http://localhost.example.com", "http://127.0.0.2",
        "http://[::2]", "http://2130706433", "http://0",
    ])
    func `refuses plain HTTP to anything but loopback`(_ text: String) {
        #expect(throws: BaseURLProblem.plainHTTP) { try BaseURL(text) }
        #expect(throws: Never.self) { try BaseURL(text, allowsPlainHTTP: true) }
    }

    @Test(arguments: [
        "", "example.com", "https://", "https:example.com", "https://a b", "https://a/?x", "https://a/#x",
        "https://a/..",
        "https://a/%2e%2E/b", "https://a:0", "https://a:65536", "https://a%2Fb", "https://ex\u{E4}mple.com",
        "https://a/\r\nX: y",
    ])
    func `refuses what is no base URL`(_ text: String) {
        #expect(throws: BaseURLProblem.malformed) { try BaseURL(text) }
    }

    @Test(arguments: ["https://user@example.com", "https://user:pw@example.com", "http://127.0.0.1@example.com"])
    func `refuses credentials in the URL`(_ text: String) {
        #expect(throws: BaseURLProblem.holdsCredentials) { try BaseURL(text) }
    }

    @Test(arguments: ["ftp://127.0.0.1", "file://127.0.0.1/etc/passwd", "ws://localhost"])
    func `refuses other schemes`(_ text: String) {
        #expect(throws: BaseURLProblem.unsupportedScheme) { try BaseURL(text) }
    }
}
