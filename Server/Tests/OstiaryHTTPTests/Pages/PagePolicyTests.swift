import OstiaryContracts
import OstiaryCore
import Testing

@testable import OstiaryHTTP

/// The restrictions that a page sets for itself and for the browser that shows it.
struct PagePolicyTests {
    @Test(arguments: PageSample.all()) func `allows a page nothing but what is ours`(sample: PageSample) {
        let headers = sample.response().headers
        let html = String(decoding: sample.response().body, as: UTF8.self)
        let hasForm = html.contains("<form")
        // Only a page that asks a passkey sends requests.
        let requests = html.contains("data-passkey") ? " connect-src 'self';" : ""
        #expect(
            headers["content-security-policy"] == """
                default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self';\(requests) \
                form-action \(hasForm ? "'self'" : "'none'"); frame-ancestors 'none'; base-uri 'none'
                """)
        #expect(headers["x-frame-options"] == "DENY")
        #expect(headers["cross-origin-opener-policy"] == "same-origin")
        #expect(headers["content-type"] == "text/html; charset=utf-8")
        #expect(headers["content-language"] == "en")
        #expect(headers["clear-site-data"] == (sample.name == "signed-out" ? "\"cache\"" : nil))
    }

    @Test(arguments: [
        ("https://app.example.com/callback?x=1", "https://app.example.com"),
        ("https://app.example.com:8443/callback", "https://app.example.com:8443"),
        ("https://app.example.com", "https://app.example.com"),
        ("http://127.0.0.1:53123/callback", "http://127.0.0.1:53123"),
        ("http://127.0.0.1/callback", "http://127.0.0.1:*"),
        // A policy cannot name an IPv6 address.
        ("http://[::1]:53123/callback", "http://*:53123"),
        ("timetracker://oauth/callback", "timetracker:"), ("timetracker:", "timetracker:"),
        ("com.example.app:/callback", "com.example.app:"),
    ])
    func `lets a form lead to where its redirect goes`(uri: String, source: String) throws {
        let sample = try #require(PageSample.all().first)
        let policy = try #require(sample.response(leadingTo: [uri]).headers["content-security-policy"])
        #expect(policy.contains("form-action 'self' \(source); frame-ancestors"))
    }

    @Test(arguments: [
        "", "*", "'unsafe-inline'", "https:", "https://", "https://*", "https://*.example.com", "//evil.example",
        "https://a.example; script-src *", "https://a.example,https://b.example", "https://a.example\nx: y",
        "https://user@evil.example", "https://evil.example:*", "https://evil.example:99999999", "https://evil.example:",
        "https://[::1]", "https://[::1", "https://evil_example", "https://münchen.example", "javascript:alert(1)",
        "data:text/html,x", "blob:x", "file:///etc/passwd", "vbscript:x", "about:blank", "1x:", "a b:", "a;b:",
        "app.example",
    ])
    func `lets nothing into its policy that could say more`(uri: String) throws {
        let sample = try #require(PageSample.all().first)
        let policy = try #require(sample.response(leadingTo: [uri, "app:"]).headers["content-security-policy"])
        #expect(policy.contains("form-action 'self' app:; frame-ancestors"))
    }

    @Test func `says nothing of where forms lead on a page without`() throws {
        let sample = try #require(PageSample.all().first { $0.name == "registration-sent" })
        #expect(sample.response(leadingTo: ["app:"]).headers["content-security-policy"]?.contains("app:") == false)
    }
}
