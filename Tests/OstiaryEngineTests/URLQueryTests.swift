import OstiaryCore
import Testing

/// The one writer of queries: redirect URIs of apps and clients, upstream requests and forms, links in messages.
@Suite struct URLQueryTests {
    @Test(arguments: [
        ("app://done", "app://done?code=1"), ("app://done?from=x", "app://done?from=x&code=1"),
        ("app://done?", "app://done?code=1"), ("app://done?from=x&", "app://done?from=x&code=1"),
    ])
    func `goes on with the query that is there`(url: String, expected: String) {
        #expect(URLQuery.append([("code", "1")], to: url) == expected)
    }

    @Test(arguments: [
        ("a b", "a%20b"), ("a&b=c", "a%26b%3Dc"), ("a#b", "a%23b"), ("a+b", "a%2Bb"), ("a%2f", "a%252f"),
        ("é", "%C3%A9"), ("\r\nSet-Cookie: x", "%0D%0ASet-Cookie%3A%20x"), ("aZ09-._~", "aZ09-._~"),
    ])
    func `encodes everything but unreserved characters`(value: String, expected: String) {
        #expect(URLQuery.append([("code", value)], to: "app://done") == "app://done?code=\(expected)")
    }

    @Test func `adds items in order`() {
        #expect(URLQuery.append([("code", "1"), ("state", "2")], to: "app://done") == "app://done?code=1&state=2")
    }
}
