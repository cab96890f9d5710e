import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryHTTP

/// The acceptance of forms as this server's own. Attack row AD-11.
struct FormGuardTests {
    private static let otherBrowser = Secret(Base64URL.encode([UInt8](repeating: 1, count: 32)))

    /// - Parameter token: Nil for the token of this server's browser cookie.
    private func accepts(
        _ headers: [String: String] = [:], token: String? = nil, browser: Secret<String>? = PageSample.browser,
        frame: Branding = PageSample.frame
    ) -> Bool {
        var request = WireRequest(method: "POST", path: "/idp/sign-in")
        request.headers = ["host": "auth.example.com"].merging(headers) { $1 }
        let token = token ?? FormGuard.token(for: PageSample.browser, keys: PageSample.keys)
        return FormGuard.accepts(request, form: FormValues("form_token=\(token)"), browser: browser, frame: frame)
    }

    @Test(arguments: [
        // The headers of browsers for a page without referrer; of browsers that send fewer headers; of a form that is
        // sent again.
        ["origin": "null", "sec-fetch-site": "same-origin"], ["origin": "null"], [:], ["sec-fetch-site": "none"],
        ["origin": "https://auth.example.com", "sec-fetch-site": "same-origin"], ["origin": "https://auth.example.com"],
        ["origin": "", "sec-fetch-site": ""],
    ])
    func `takes a form of our page`(headers: [String: String]) {
        #expect(accepts(headers))
    }

    @Test(arguments: [
        ["sec-fetch-site": "cross-site"], ["sec-fetch-site": "same-site"], ["sec-fetch-site": "SAME-ORIGIN"],
        ["sec-fetch-site": "same-origin, cross-site"], ["sec-fetch-site": "unknown"],
        ["origin": "null", "sec-fetch-site": "cross-site"], ["origin": "https://evil.example"],
        ["origin": "https://evil.example", "sec-fetch-site": "same-origin"], ["origin": "http://auth.example.com"],
        ["origin": "https://auth.example.com.evil.example"], ["origin": "https://auth.example.com:8443"],
        ["origin": "https://sub.auth.example.com"], ["origin": "https://auth.example.com, https://evil.example"],
        ["origin": "null, null"], ["origin": "NULL"],
    ])
    func `refuses a form of another page, whatever token it has`(headers: [String: String]) {
        #expect(!accepts(headers))
    }

    @Test func `takes the configured origin for ours, whatever name a proxy asks for`() {
        var frame = PageSample.frame
        frame.origin = "https://auth.example.com"
        let headers = ["host": "10.0.0.7:3001", "origin": "https://auth.example.com"]
        #expect(accepts(headers, frame: frame))
        #expect(!accepts(headers))
    }

    @Test(arguments: ["auth.example.com", "Auth.Example.COM", "auth.example.com:443"])
    func `takes an equivalent spelling of the host for ours`(host: String) {
        #expect(accepts(["host": host, "origin": "https://auth.example.com"]))
        #expect(!accepts(["host": host, "origin": "https://auth.example.com:444"]))
    }

    @Test(arguments: ["", "auth.example.com:0", "auth.example.com, other.example.com"])
    func `takes no origin for ours where the host is none`(host: String) {
        #expect(!accepts(["host": host, "origin": "https://auth.example.com"]))
        #expect(!accepts(["host": host, "origin": "https://\(host)"]) || host.isEmpty)
    }

    @Test func `goes by the name it was asked for in development`() {
        var frame = PageSample.frame
        frame.isSecure = false
        #expect(accepts(["host": "localhost:3001", "origin": "http://localhost:3001"], frame: frame))
        #expect(!accepts(["host": "localhost:3001", "origin": "http://localhost:3002"], frame: frame))
    }

    @Test(arguments: ["", "x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"])
    func `refuses a form without our token`(token: String) {
        #expect(!accepts(token: token))
    }

    @Test func `refuses the token of another browser`() {
        let token = FormGuard.token(for: Self.otherBrowser, keys: PageSample.keys)
        #expect(!accepts(token: token))
        #expect(accepts(token: token, browser: Self.otherBrowser))
    }

    @Test func `refuses a browser that shows no cookie`() {
        #expect(!accepts(browser: nil))
    }

    @Test func `refuses a token that comes twice, and a form without`() {
        let token = FormGuard.token(for: PageSample.browser, keys: PageSample.keys)
        for text in ["form_token=\(token)&form_token=\(token)", "", "Form_Token=\(token)", "form_token"] {
            let request = WireRequest(method: "POST", path: "/")
            #expect(
                !FormGuard.accepts(
                    request, form: FormValues(text), browser: PageSample.browser, frame: PageSample.frame))
        }
    }
}
